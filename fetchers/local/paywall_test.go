package local

const notFree = `<script type="application/ld+json">{"@context":"https://schema.org","@type":"NewsArticle","headline":"The gauge on the mole","isAccessibleForFree":false,
"hasPart":{"@type":"WebPageElement","isAccessibleForFree":"False","cssSelector":".paid"}}</script>`

const maybeCut = "paywall: the text may be only the beginning"

var paywallPages = []madeUp{
	{
		name:  "cut text with a mark-up",
		html:  framed("The gauge on the mole", notFree+`<main><article><h1>The gauge on the mole</h1>`+prose(90)+`<div class="paywall"><h2>Subscribe to continue reading</h2><p>Already a subscriber? <a href="/login">Log in</a></p></div></article></main>`),
		facts: []string{maybeCut}, has: []string{storyText},
	},
	{
		name: "announced length",
		html: framed("The gauge on the mole", `<script type="application/ld+json">{"@graph":[{"@type":"WebSite","name":"x"},{"@type":"Article","wordCount":1450,"isAccessibleForFree":"false"}]}</script>
			<main><article><h1>The gauge on the mole</h1>`+prose(90)+`</article></main>`),
		facts: []string{"paywall: about 90 of 1,450 words"}, has: []string{storyText},
	},
	{
		name:  "metered",
		html:  framed("The gauge on the mole", `<main><article><h1>The gauge on the mole</h1>`+prose(90)+`</article><section class="regwall"><h3>You've reached your limit of free articles this month</h3><p>Create a free account to keep reading.</p></section></main>`),
		facts: []string{maybeCut}, has: []string{storyText},
	},
	{
		name:  "no names, at the end of the text",
		html:  framed("The gauge on the mole", `<main><article><h1>The gauge on the mole</h1>`+prose(90)+`<p>…</p><div class="c1"><p>This article is for subscribers only.</p><button>Subscribe now</button></div></article></main>`),
		facts: []string{maybeCut}, has: []string{storyText},
	},
	{
		name:  "newsletter post",
		html:  framed("The gauge on the mole", `<main><article><h1>The gauge on the mole</h1>`+prose(90)+`</article><div data-testid="paywall" class="paywall"><h2>This post is for paid subscribers</h2><button>Subscribe</button><p>Already a paid subscriber? <a href="/sign-in">Sign in</a></p></div></main>`),
		facts: []string{maybeCut}, has: []string{storyText},
	},
	{
		name:  "member story",
		html:  framed("The gauge on the mole", `<article><h1>The gauge on the mole</h1>`+prose(90)+`<h2>Create an account to read the full story.</h2><p>The author made this story available to members only.</p><a href="/signup">Continue in app</a></article>`),
		facts: []string{maybeCut}, has: []string{storyText},
	},
	{
		name:  "german",
		html:  framed("Der Pegel", `<main><article><h1>Der Pegel auf der Mole</h1>`+prose(90)+`<div class="paywall-box"><h2>Weiterlesen mit dem Abo</h2><p>Jetzt abonnieren und weiterlesen.</p></div></article></main>`),
		facts: []string{maybeCut}, has: []string{storyText},
	},
	{
		name:   "nothing but the gate",
		html:   framed("The gauge on the mole", notFree+`<main><article><h1>The gauge on the mole</h1><p>The keeper writes down what the float tells him.</p><div class="paywall"><h2>Subscribe to continue reading</h2><p>Get unlimited access for 1 a week. Cancel at any time.</p><button>Subscribe</button></div></article></main>`),
		reason: "paywall in place of the text — run: pifetchctl open-browser '",
	},
	{
		name:  "gate before the teasers of others",
		html:  framed("The gauge on the mole", notFree+`<main><article><h1>The gauge on the mole</h1>`+prose(90)+`<p>To read the rest of this story, subscribe.</p></article><section><h3>Ropes</h3>`+prose(60)+`</section></main>`),
		facts: []string{maybeCut}, has: []string{storyText},
	},
	{
		name:  "label before a text that is all there",
		html:  framed("The gauge on the mole", notFree+`<main><article><h1>The gauge on the mole</h1><p>This article is exclusive to subscribers.</p>`+prose(400)+`</article></main>`),
		facts: []string{maybeCut}, has: []string{storyText},
	},

	// None of them.
	{
		name: "paid, and all there",
		html: framed("The gauge on the mole", notFree+`<main><article><h1>The gauge on the mole</h1><div class="paid">`+prose(400)+`</div></article></main>`),
		has:  []string{storyText},
	},
	{
		name: "paid, announced, and all there",
		html: framed("The gauge on the mole", `<script type="application/ld+json">{"@type":"Article","wordCount":3000,"isAccessibleForFree":false}</script><main><h1>The gauge on the mole</h1>`+prose(3000)+`</main>`),
		has:  []string{storyText},
	},
	{
		name: "free, with an offer",
		html: story(300, `<div class="promo"><p>Support our work: subscribe to the Gazette.</p><button>Subscribe</button></div>`),
		has:  []string{storyText},
	},
	{
		name: "a text about paywalls",
		html: framed("Paywalls", `<main><article><h1>How paywalls work</h1>`+prose(60)+`<p>A box then says “Subscribe to continue reading”, or that this article is for subscribers only.</p>`+prose(200)+`</article></main>`),
		has:  []string{storyText},
	},
	{
		name: "a short note on a library",
		html: framed("paywall.js", `<main><h1>paywall.js</h1><p>Shows a box with the words of your choice after a number of articles.</p><pre><code>paywall({text: "Subscribe to continue reading"})</code></pre></main>`),
		has:  []string{"Shows a box"},
	},
	{
		name: "prices",
		html: framed("Subscribe", `<main><h1>Subscribe</h1><p>Already a subscriber? Log in.</p><h2>Paper</h2><p>12 a month.</p><h2>Digital</h2><p>6 a month, with the archive.</p></main>`),
		has:  []string{"6 a month"},
	},
	{
		name: "a list that is all there, under a label",
		html: framed("Oat bars", notFree+`<main><h1>Oat bars</h1><p>This recipe is for subscribers only.</p><ul>`+rows(40, `<li>%[2]d grams of oats from the mole, and as much butter</li>`)+`</ul></main>`),
		has:  []string{"40 grams"}, facts: []string{maybeCut},
	},
	{
		name: "a chapter on paywalls",
		html: framed("Set up the paywall", `<main><h1>Set up the paywall</h1>`+prose(100)+`<section id="paywall"><h2>Paywall</h2><p>Choose which account may read on, and after how many pages a member is asked.</p></section></main>`),
		has:  []string{"Choose which"},
	},
	{
		name: "a gateway",
		html: framed("Gateway", `<main><h1>Gateway</h1><div class="content-gateway"><p>Register the gateway with your account, then wait for the lamp to be green.</p></div></main>`),
		has:  []string{"wait for the lamp"},
	},
}
