package local

var wallPages = []madeUp{
	{
		name: "age gate", path: "/ales/7",
		html:   bare("Harbour Brewery", `<div class="gate"><h1>Are you over 18?</h1><p>You must be of legal drinking age to enter this site.</p><button>Yes</button><button>No</button></div>`),
		reason: "age check in place of the page — run: pifetchctl open-browser '",
	},
	{
		name:   "age gate with a date of birth",
		html:   framed("Age verification", `<main><h2>Please verify your age</h2><p>Enter your date of birth to continue.</p><form><input name=d placeholder=DD><input name=m><input name=y><button>Enter</button></form></main>`),
		reason: "age check in place of the page",
	},
	{
		name: "age gate over the page",
		html: story(160, `<div class="age-gate-overlay" role="dialog" aria-modal="true"><h2>Are you 21 or older?</h2><button>Yes, I am</button><button>No</button></div>`),
		has:  []string{storyText}, lacks: []string{"21 or older"},
	},
	{
		name: "age gate over the page, no dialog",
		html: story(160, `<div id="age-verification" class="modal"><h2>Are you 21 or older?</h2><button>Yes, I am</button><button>No</button></div>`),
		has:  []string{storyText}, lacks: []string{"21 or older"},
	},
	{
		name:   "region block",
		html:   framed("Not available", `<main><h1>This content is not available in your country</h1><p>We are sorry for the inconvenience.</p></main>`),
		reason: "region block in place of the page",
	},
	{
		name: "region block, old law",
		html: bare("Mole County Times", `<h2>451: Unavailable due to legal reasons</h2><p>We recognize you are attempting to access this website from a country belonging to the European
			Economic Area (EEA) including the EU which enforces the General Data Protection Regulation (GDPR) and therefore access cannot be granted at this time.
			For any issues, contact news@mole.example or call 555-0100.</p>`),
		reason: "region block in place of the page",
	},
	{
		name:   "region block of a player",
		html:   bare("Harbour TV", `<div class="error"><p>Sorry, this video is not available in your region.</p></div>`),
		reason: "region block in place of the page",
	},
	{
		name:   "access denied",
		html:   bare("Access Denied", `<h1>Access Denied</h1><p>You don't have permission to access "http://gazette.example/page" on this server.</p><p>Reference #18.2f1c1702.1700000000.1a2b3c4d</p>`),
		reason: "access denied in place of the page — run: pifetchctl open-browser '",
	},
	{
		name:   "request rejected",
		html:   bare("Request Rejected", `The requested URL was rejected. Please consult with your administrator.<br><br>Your support ID is: 1234567890123<br><a href="javascript:history.back()">[Go Back]</a>`),
		reason: "access denied in place of the page",
	},
	{
		name:   "blocked",
		html:   bare("Attention Required!", `<h1>Sorry, you have been blocked</h1><h2>You are unable to access gazette.example</h2><p>This website is using a security service to protect itself from online attacks.</p><p>Ray ID: 7d1f</p>`),
		reason: "access denied in place of the page",
	},
	{
		name: "interruption",
		html: bare("Pardon Our Interruption", `<h1>Pardon Our Interruption</h1><p>As you were browsing something about your browser made us think you were a bot. There are a few reasons this might happen:</p>
			<ul><li>You're a power user moving through this website with super-human speed.</li><li>You've disabled cookies in your web browser.</li></ul>`),
		reason: "access denied in place of the page",
	},
	{
		name:   "no permission in an application",
		html:   framed("Forbidden", `<main><h1>403 Forbidden</h1><p>You are not authorized to view this page. Ask an administrator for access.</p></main>`),
		reason: "access denied in place of the page",
	},
	{
		name:   "unsupported browser",
		html:   bare("Harbour Planner", `<div><h1>Your browser is not supported</h1><p>Please use the latest version of one of these browsers: Firefox, Safari, Edge.</p></div>`),
		reason: "the page does not support this browser",
	},
	{
		name:   "outdated browser",
		html:   bare("Browser unsupported", `<p>You are using an outdated browser. Please upgrade your browser to improve your experience.</p>`),
		reason: "the page does not support this browser",
	},
	{
		name:   "cookies required",
		html:   bare("Cookies required", `<h1>Please enable cookies</h1><p>Cookies are disabled in your browser. Enable them to continue.</p>`),
		reason: "the page asks for cookies",
	},
	{
		name:   "maintenance",
		html:   bare("Down for maintenance", `<h1>We&rsquo;ll be back soon!</h1><p>Sorry for the inconvenience. We&rsquo;re performing some maintenance at the moment. We&rsquo;ll be back online shortly!</p><p>&mdash; The Team</p>`),
		reason: "maintenance notice in place of the page",
	},
	{
		name:   "maintenance in the frame of the site",
		html:   framed("Site maintenance", `<main><h1>Scheduled maintenance</h1><p>The site is currently undergoing scheduled maintenance. Please check back later.</p></main>`),
		reason: "maintenance notice in place of the page",
	},
	{
		name:   "temporarily unavailable",
		html:   bare("Service unavailable", `<h2>Service temporarily unavailable</h2><p>Our service is temporarily unavailable. Please try again later.</p>`),
		reason: "maintenance notice in place of the page",
	},
	{
		name: "log in to go on", path: "/reports/7",
		html:   framed("Log in", `<main><h1>You must be logged in to view this page</h1><p><a href="/login" class="btn">Log in</a> or <a href="/join">create an account</a>.</p></main>`),
		reason: "login needed (the page asks for a login) — run: pifetchctl open-browser '",
	},
	{
		name: "address first", path: "/account/login", from: "/reports/7",
		html:   bare("Sign in – Harbour accounts", `<h1>Sign in</h1><form><label>Email <input type="email" name="identifier"></label><button>Next</button></form><a href="/forgot">Forgot email?</a>`),
		reason: "login needed (redirected to ",
	},
	{
		name: "only other accounts", path: "/sso", from: "/reports/7",
		html:   bare("Log in | Harbour Planner", `<h2>Log in to your account</h2><button>Continue with Google</button><button>Continue with SSO</button>`),
		reason: "login needed (redirected to ",
	},
	{
		name:   "members only",
		html:   framed("Members only", `<main><h1>Members only</h1><p>Please log in to read this page.</p><a href="/login">Log in</a></main>`),
		reason: "login needed (the page asks for a login)",
	},

	// None of them.
	{
		name: "a product that is not sent here",
		html: framed("Brass cleat, 20 cm", `<main><h1>Brass cleat, 20 cm</h1><p>34.50. This item is not available in your country.</p><button>Notify me</button></main>`),
		has:  []string{"Brass cleat", "34.50"},
	},
	{
		name: "why something is not available",
		html: framed("Why is this film not available in my country?", `<main><h1>Why is this film not available in my country?</h1><p>Rights are sold by country, and a film may not be available in your country until somebody has bought them there.</p><p>When you travel, the catalogue changes with you.</p></main>`),
		has:  []string{"Rights are sold by country"},
	},
	{
		name: "reference of a status",
		html: framed("403 Forbidden", `<main><h1>403 Forbidden</h1><p>The HTTP 403 Forbidden response status code indicates that the server understood the request but refused to process it: you don't have permission to access the resource.</p><h2>Status</h2><pre><code>403 Forbidden</code></pre></main>`),
		has:  []string{"understood the request but refused"},
	},
	{
		name: "help with an error",
		html: framed("Access denied", `<main><h1>Access denied</h1><p>This error message is shown when you don't have permission to access a folder. Ask the owner to share it with you, then open it again.</p></main>`),
		has:  []string{"Ask the owner to share it"},
	},
	{
		name: "announced maintenance",
		html: framed("Scheduled maintenance", `<main><h1>Scheduled maintenance</h1><p>On 14 March from 02:00 to 04:00 UTC we will be performing maintenance on the gauge database. Queries may fail in that time.</p></main>`),
		has:  []string{"On 14 March"},
	},
	{
		name: "status of a service",
		html: framed("Harbour status", `<main><h1>Harbour status</h1><h2>Ferry booking</h2><p>Under maintenance: we are currently performing maintenance on the booking system. Back shortly.</p><h2>Gauges</h2><p>Operational.</p></main>`),
		has:  []string{"Operational"},
	},
	{
		name: "a minimum age",
		html: framed("Boat hire", `<main><h1>Boat hire</h1><p>You must be 18 or older to hire a boat. Bring a passport.</p><button>Yes, book</button></main>`),
		has:  []string{"Bring a passport"},
	},
	{
		name: "guide to signing in", path: "/docs/sign-in",
		html: framed("Sign in", `<main><h1>Sign in</h1><p>Open the menu and choose Sign in, then enter the code from the letter. The code is good for a week.</p></main>`),
		has:  []string{"code from the letter"},
	},
	{
		name: "a note that asks for a login", path: "/threads/7",
		html: framed("Ropes", `<main><h1>Ropes</h1><p>We splice ours, and it has never let us down in eleven years.</p><p>You must be logged in to reply to this topic.</p><a href="/login">Log in</a></main>`),
		has:  []string{"We splice ours"},
	},
	{
		name: "an old browser's banner",
		html: framed("Lock status", `<p class="browserupgrade">You are using an outdated browser. Please upgrade your browser.</p><main><h1>Lock status</h1><p>Open. Next closing at 18:40.</p></main>`),
		has:  []string{"Next closing at 18:40"},
	},
	{
		name: "work on a bridge",
		html: framed("Bridge maintenance", `<main><h1>Bridge maintenance</h1><p>The swing bridge is closed at the moment; check back on Friday, or try again later with the ferry.</p></main>`),
		has:  []string{"closed at the moment"},
	},
	{
		name: "a blocked channel",
		html: framed("Channel blocked", `<main><h1>Channel has been blocked by ice</h1><p>The west channel has been blocked since Monday. Pilots have been told.</p></main>`),
		has:  []string{"since Monday"},
	},
	{
		name: "no results", path: "/search?q=herring",
		html: framed("Search", `<main><h1>Search results</h1><p>No results found for “herring”. Try another word.</p></main>`),
		has:  []string{"No results found"},
	},
	{
		name: "names with an age in them",
		html: framed("Hybrid storage", `<main><h1>Hybrid storage</h1>`+prose(80)+`<section id="storage-gateway"><h2>Storage gateway</h2><p>Keeps the hot buckets near. <input value="7"></p></section>
			<h2 id="package-verification">Package verification</h2><p>Each is signed.</p><section class="age-verification"><h2>Age verification</h2><p>Shops on the mole ask for a passport.</p></section></main>`),
		has: []string{"Keeps the hot buckets near", "## Package verification", "ask for a passport"},
	},
	{
		name:   "maintenance of a site by its name",
		html:   framed("Maintenance", `<h1>Gazette is down for maintenance</h1><p>Please check back in an hour.</p>`),
		reason: "maintenance notice in place of the page",
	},
	{
		name: "a bridge under maintenance",
		html: framed("Bridge under maintenance", `<main><h1>Bridge under maintenance</h1><p>The swing bridge is closed at the moment. The ferry goes every ten minutes.</p></main>`),
		has:  []string{"The ferry goes"},
	},
	{
		name: "a lift that stands still",
		html: framed("Lift service temporarily unavailable", `<main><h1>Lift service temporarily unavailable</h1><p>The lift on the mole stands still until Friday. Use the ramp.</p></main>`),
		has:  []string{"Use the ramp"},
	},
	{
		name: "nothing at the moment, without a heading",
		html: framed("Jobs", `<div class="title">There are no open positions at the moment.</div><p>Send us a letter anyway.</p>`),
		has:  []string{"Send us a letter"},
	},
	{
		name: "a download, without a heading",
		html: bare("Planner", `<p>Download the latest version of the planner here.</p><p><a href="/planner.zip">planner.zip</a></p>`),
		has:  []string{"planner.zip"},
	},
	{
		name: "unusual traffic on the water",
		html: framed("Unusual traffic at the lock", `<main><h1>Unusual traffic at the lock</h1><p>Forty barges went through on Sunday, the most since the great frost.</p></main>`),
		has:  []string{"Forty barges"},
	},
	{
		name: "how to enable cookies",
		html: framed("Enable cookies in the planner", `<main><h1>Enable cookies in the planner</h1><p>Open the menu, choose Privacy, and tick the second box.</p></main>`),
		has:  []string{"second box"},
	},
	{
		name: "help that was asked for", path: "/help/update-your-browser",
		html: framed("Update your browser", `<main><h1>Update your browser</h1><p>Install the latest version of your browser before you open the planner.</p></main>`),
		has:  []string{"before you open the planner"},
	},
	{
		name: "a bar that asks for a login, and no heading",
		html: framed("Prices", `<div class="bar">Please log in to see prices.</div><div class="item">Brass cleat, 20 cm, in stock.</div><div>Sold by the piece, made on the mole.</div>`),
		has:  []string{"Brass cleat"},
	},
}
