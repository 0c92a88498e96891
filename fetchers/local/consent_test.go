package local

// noticeText is what consent notices say, at length.
const noticeText = `<h2>We value your privacy</h2><p>We and our 713 partners store and/or access information on a device, such as cookies and process
personal data, such as unique identifiers and standard information sent by a device for personalised ads and content, ad and content measurement, and
audience insights, as well as to develop and improve products.</p><p>With your permission we and our partners may use precise geolocation data and
identification through device scanning. You may click to consent to our and our partners' processing as described above.</p>`

var consentButtons = `<button>More options</button><button>Reject all</button><button>Accept all</button>`

// noConsent are parts of the notices below.
var noConsent = []string{"713 partners", "Accept all", "We value your privacy", "cookies"}

func underNotice(name, notice string) madeUp {
	return madeUp{name: name, html: story(160, notice), has: []string{storyText}, lacks: noConsent}
}

var consentPages = []madeUp{
	underNotice("onetrust", `<div id="onetrust-consent-sdk"><div class="onetrust-pc-dark-filter"></div><div id="onetrust-banner-sdk" role="region" aria-label="Cookie banner">`+noticeText+`<button id="onetrust-accept-btn-handler">Accept all</button></div></div>`),
	underNotice("didomi", `<div id="didomi-host"><div id="didomi-popup" class="didomi-popup-backdrop" role="dialog" aria-modal="true">`+noticeText+consentButtons+`</div></div>`),
	underNotice("quantcast", `<div class="qc-cmp-cleanslate css-1"><div id="qc-cmp2-ui" role="dialog">`+noticeText+consentButtons+`</div></div>`),
	underNotice("numbered container with a frame", `<div id="sp_message_container_813456" class="sp_message_container"><div data-pifetch-frame="https://cdn.cmp.example/"><div class="message type-modal">`+noticeText+consentButtons+`</div></div></div>`),
	underNotice("numbered container, no class", `<div id="sp_message_container_813456"><div class="message type-modal">`+noticeText+consentButtons+`</div></div>`),
	underNotice("cookiebot", `<div id="CybotCookiebotDialog" name="CybotCookiebotDialog" role="dialog">`+noticeText+`<a id="CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll" role="button">Accept all</a></div><div id="CybotCookiebotDialogBodyUnderlay"></div>`),
	underNotice("trustarc", `<div class="truste_overlay"></div><div class="truste_box_overlay"><div class="truste_box_overlay_inner">`+noticeText+`</div></div><div id="truste-consent-track"><div id="truste-consent-content">`+noticeText+`<button id="truste-consent-button">Accept all</button></div></div>`),
	underNotice("shadow root", `<div id="usercentrics-root"><template shadowrootmode="open"><div data-testid="uc-app-container">`+noticeText+consentButtons+`</div></template></div>`),
	underNotice("no known name", `<div class="x7f2a bottom-0"><div class="inner">`+noticeText+`<div class="row"><button class="btn">Accept all</button><button class="btn">Only necessary</button></div></div></div>`),
	underNotice("no known name, short", `<div class="snackbar"><span>This site uses cookies to give you the best experience.</span> <a class="btn" href="#">Got it</a></div>`),
	underNotice("no known name, links for buttons", `<div class="fixed bar"><p>We use cookies and similar technologies. By continuing you accept our <a href="/privacy">policy</a>.</p><a role="button" href="#" class="agree">Accept all</a><a href="#" role="button">Decline</a></div>`),
	underNotice("german", `<div class="hinweis"><p>Wir verwenden cookies, um Ihnen das bestmögliche Erlebnis zu bieten.</p><button>Alle akzeptieren</button><button>Nur notwendige</button></div>`),
	{
		name: "notice at the start of the body",
		html: framed("The gauge on the mole", `<div class="top-message"><p>We and our 713 partners use cookies to keep this site free.</p><button>Accept all</button></div><main><article><h1>The gauge on the mole</h1>`+prose(160)+`</article></main>`),
		has:  []string{storyText}, lacks: noConsent,
	},
	{
		name: "notice inside main",
		html: framed("The gauge on the mole", `<main><div class="q1"><p>We and our 713 partners use cookies to keep this site free.</p><button>Accept all</button></div><h1>The gauge on the mole</h1>`+prose(160)+`</main>`),
		has:  []string{storyText}, lacks: noConsent,
	},
	{
		name: "longer than the page",
		html: bare("Lock status", `<h1>Lock status</h1><p>Open. Next closing at 18:40.</p><div id="onetrust-banner-sdk" role="dialog">`+noticeText+consentButtons+`</div>`),
		has:  []string{"Next closing at 18:40"}, lacks: noConsent,
	},
	{
		name: "longer than the page, no known name",
		html: framed("Lock status", `<div><h1>Lock status</h1><p>Open. Next closing at 18:40.</p></div><div class="b7">`+noticeText+consentButtons+`</div>`),
		has:  []string{"Next closing at 18:40"}, lacks: noConsent,
	},
	{
		name:   "in place of the page, links around it",
		html:   bare("Harbour Gazette", `<div class="top"><a href="/">Harbour Gazette</a> <a href="/a">Shipping and the weather</a></div><div id="didomi-host"><div role="dialog">`+noticeText+consentButtons+`</div></div>`),
		reason: "consent notice in place of the page — run: pifetchctl open-browser '",
	},
	{
		name: "page of its own", path: "/consent", from: "/article/7",
		html:   bare("Before you continue", `<main><h1>Before you continue to Harbour Gazette</h1>`+noticeText+consentButtons+`</main>`),
		reason: "consent notice in place of the page (redirected to ",
	},
	{
		name:   "in place of the page",
		html:   bare("Harbour Gazette", `<div id="root"></div><div id="onetrust-consent-sdk"><div id="onetrust-banner-sdk" role="dialog">`+noticeText+consentButtons+`</div></div>`),
		reason: "consent notice in place of the page — run: pifetchctl open-browser '",
	},
	{
		name:   "in place of the page, under the site's frame",
		html:   framed("Your privacy", `<div class="cmp-wall"><h1>We value your privacy</h1>`+noticeText+consentButtons+`</div>`),
		reason: "consent notice in place of the page — run: pifetchctl open-browser '",
	},
	{
		name: "in place of the page, german", path: "/zustimmung", from: "/artikel/7",
		html: bare("Einwilligung", `<div class="box"><h1>Willkommen bei der Hafenzeitung</h1><p>Um unser Angebot zu nutzen, benötigen wir Ihre Einwilligung in die Verarbeitung
			personenbezogener Daten und die Verwendung von Cookies durch uns und unsere 120 Partner.</p><button>Zustimmen und weiter</button><a href="/abo">Jetzt abonnieren</a></div>`),
		reason: "consent notice in place of the page (redirected to ",
	},

	// None of them.
	{
		name: "cookie policy", path: "/legal/cookies",
		html: framed("Cookie policy", `<main class="cookie-policy"><h1>Cookie policy</h1><p>We use cookies to remember your station and your units.</p>`+prose(120)+`<button>Change settings</button></main>`),
		has:  []string{"We use cookies to remember your station", storyText},
	},
	{
		name: "a short page about cookies", path: "/recipes/cookies",
		html: framed("Harbour cookies", `<main><h1>Harbour cookies</h1><p>Two cups of oats, one of butter, and the patience of a lock keeper.</p><button>Accept challenge</button></main>`),
		has:  []string{"Two cups of oats"},
	},
	{
		name: "documentation of a consent library",
		html: framed("Consent API", `<main><h1>Consent API</h1><p>Calls the handler when the visitor accepts cookies.</p><div class="demo"><p>This site uses cookies.</p><button>Accept</button></div><h2>Options</h2>`+prose(90)+`</main>`),
		has:  []string{"Calls the handler when the visitor accepts cookies", "Options"},
	},
	{
		name: "a dialog of an application",
		html: framed("Berths", `<main><h1>Berths</h1><p>Berth seven takes the sugar boat at noon.</p><form><p>I accept the harbour rules.</p><button>Accept</button></form></main>`),
		has:  []string{"Berth seven takes the sugar boat", "I accept the harbour rules"},
	},
	{
		name: "chapters that are named like notices",
		html: framed("Handbook", `<main><h1>Handbook</h1>`+prose(80)+`<section id="gdpr"><h2>GDPR</h2><p>The gauge keeps logs for a week.</p></section>
			<section id="cookie-consent"><h2>Cookie consent</h2><p>The planner asks before it writes.</p></section><h2 id="cookie-banner">Cookie banner</h2><p>Grey.</p></main>`),
		has: []string{"keeps logs for a week", "## Cookie consent", "asks before it writes", "## Cookie banner"},
	},
	{
		name: "a note with code and a button",
		html: bare("Sessions", `<div class="page"><div class="title">Sessions</div><p>We use cookies for sessions, and this is how one is set.</p><pre><code>set("a")</code></pre><div class="demo"><button>OK</button></div></div>`),
		has:  []string{"this is how one is set"},
	},
	{
		name: "posts to agree with",
		html: framed("Sessions", `<main><h1>Sessions</h1>`+rows(5, `<div class="post"><a class="author" href="/u/ann">ann%[1]d</a> <time>Jan 11, 2024</time><div class="post-body"><p>Here on pier %[2]d we use cookies for that, signed ones.</p></div><button>Agree</button></div>`)+`</main>`),
		has:  []string{"on pier 1", "on pier 5"},
	},
	{
		name: "cookie policy with its settings, at the address with a slash", from: "/privacy", path: "/privacy/",
		html: framed("Privacy settings", `<main><h1>Privacy settings</h1><p>We use cookies to remember your station and your units.</p>`+prose(120)+`<button>Accept all</button><button>Reject all</button></main>`),
		has:  []string{"remember your station", storyText},
	},
	{
		name: "cookie policy with its settings, in the reader's language", from: "/privacy", path: "/en/privacy",
		html: framed("Privacy settings", `<main><h1>Privacy settings</h1><p>We use cookies to remember your station and your units.</p>`+prose(120)+`<button>Accept all</button><button>Reject all</button></main>`),
		has:  []string{"remember your station", storyText},
	},
	{
		name: "cookies and bars of a baker",
		html: framed("Oat bars", `<article class="post-7 category-cookies-bars tag-cookie-bar"><h1>Oat bars</h1><p>Two cups of oats, one of butter.</p></article><div class="card cookie-bars"><p>Lemon bars, too.</p></div><div class="comments">`+prose(160)+`</div>`),
		has:  []string{"Two cups of oats"},
	},
}
