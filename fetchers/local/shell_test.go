package local

const appNoscript = `<noscript>You need to enable JavaScript to run this app.</noscript>`

var shellPages = []madeUp{
	{
		name:   "react, script missing",
		html:   bare("React App", appNoscript+`<div id="root"></div><script src="/static/js/main.8f3a.js"></script>`),
		reason: "no content extracted: the page is the empty shell of a script application",
	},
	{
		name:   "vue, script missing",
		html:   bare("planner", `<noscript><strong>We're sorry but planner doesn't work properly without JavaScript enabled. Please enable it to continue.</strong></noscript><div id="app"></div><script src="/js/app.js"></script>`),
		reason: "no content extracted: the page is the empty shell of a script application",
	},
	{
		name:   "angular, script missing",
		html:   bare("Planner", `<app-root></app-root><script src="/main.js" type="module"></script>`),
		reason: "no content extracted: the page is the empty shell of a script application",
	},
	{
		name:   "script that throws",
		html:   bare("Planner", appNoscript+`<div id="root"><div class="loader">Loading...</div></div><script>throw new Error("no such gauge")</script>`),
		reason: "no content extracted: the page is the empty shell of a script application",
	},
	{
		name:   "for ever loading",
		html:   bare("Planner", `<div id="app"><div class="spinner"></div><p>Loading, please wait…</p></div><script>1</script>`),
		reason: "no content extracted: the page is the empty shell of a script application",
	},
	{
		name:   "shown notice",
		html:   bare("Planner", `<div class="no-js"><h1>JavaScript is not available.</h1><p>We've detected that JavaScript is disabled in this browser. Please enable JavaScript or switch to a supported browser to continue.</p></div><script>1</script>`),
		reason: "no content extracted: the page is the empty shell of a script application",
	},
	{
		name:   "shell in the site's frame",
		html:   framed("Gauges", `<div id="root"></div><script src="/main.js"></script>`),
		reason: "no content extracted: the page is the empty shell of a script application",
	},
	{
		name:   "failed application",
		html:   bare("Planner", `<div id="__next"><h2>Application error: a client-side exception has occurred (see the browser console for more information).</h2></div><script>1</script>`),
		reason: "the page's script failed",
	},
	{
		name:   "something went wrong",
		html:   bare("Planner", `<div id="root"><h1>Something went wrong</h1><p>Try reloading the page.</p><button>Reload</button></div><script>1</script>`),
		reason: "the page's script failed",
	},
	{
		name: "skeleton by class",
		html: framed("Gauges", `<main><div class="card"><div class="skeleton skeleton-title"></div><div class="skeleton skeleton-text"></div><div class="skeleton skeleton-text"></div></div>
			<div class="card"><div class="skeleton skeleton-title"></div><div class="skeleton skeleton-text"></div></div></main><script>1</script>`),
		reason: "no content extracted: the page still shows placeholders",
	},
	{
		name:   "skeleton of a library",
		html:   bare("Gauges", `<div id="root"><h1>Gauges</h1><span class="MuiSkeleton-root MuiSkeleton-text MuiSkeleton-pulse"></span><span class="MuiSkeleton-root MuiSkeleton-rectangular"></span><span class="MuiSkeleton-root MuiSkeleton-rectangular"></span></div><script>1</script>`),
		reason: "no content extracted: the page still shows placeholders",
	},
	{
		name:   "busy",
		html:   framed("Gauges", `<main aria-busy="true"><h1>Gauges</h1><div class="sk"></div><div class="sk"></div><div class="sk"></div></main><script>1</script>`),
		reason: "no content extracted: the page still shows placeholders",
	},
	{
		name:   "shimmer with words for screen readers",
		html:   framed("Gauges", `<main><ul><li class="shimmer-card"><span class="sr-only">Loading...</span></li><li class="shimmer-card"><span class="sr-only">Loading...</span></li><li class="shimmer-card"><span class="sr-only">Loading...</span></li></ul></main><script>1</script>`),
		reason: "no content extracted: the page still shows placeholders",
	},
	{
		name:  "a part that never came",
		html:  framed("The gauge on the mole", `<main><h1>The gauge on the mole</h1>`+prose(120)+`<section aria-busy="true"><h2>Readings</h2><div class="skeleton"></div><div class="skeleton"></div><div class="skeleton"></div></section></main><script>1</script>`),
		facts: []string{"parts of the page never loaded: it still shows 3 placeholders"}, has: []string{storyText},
	},

	// None of them.
	{
		name: "rendered by script",
		html: bare("Planner", appNoscript+`<div id="root"><main><h1>Planner</h1>`+prose(80)+`</main></div><script>1</script>`),
		has:  []string{storyText},
	},
	{
		name: "short, rendered by script",
		html: bare("Counter", appNoscript+`<div id="root"><h1>Boats today</h1><p>17</p></div><script>1</script>`),
		has:  []string{"17"},
	},
	{
		name: "empty root of a widget",
		html: framed("Lock status", `<main><h1>Lock status</h1><p>Open. Next closing at 18:40.</p></main><div id="app"></div><script>1</script>`),
		has:  []string{"Next closing at 18:40"},
	},
	{
		name: "a page about the message",
		html: framed("You need to enable JavaScript to run this app", `<main><h1>You need to enable JavaScript to run this app</h1><p>I get a white page with this line after the build. The answer: set homepage in package.json, as the script is looked for at the wrong place.</p><pre><code>"homepage": "."</code></pre></main>`),
		has:  []string{"set homepage in package.json"},
	},
	{
		name: "a short page about loading",
		html: framed("Loading", `<main><h1>Loading</h1><p>Loading begins at six. The crane takes two containers at a time.</p></main>`),
		has:  []string{"Loading begins at six"},
	},
	{
		name: "skeletons beside the text",
		html: framed("The gauge on the mole", `<main><article><h1>The gauge on the mole</h1>`+prose(160)+`</article></main><aside><div class="skeleton"></div><div class="skeleton"></div><div class="skeleton"></div></aside><script>1</script>`),
		has:  []string{storyText},
	},
	{
		name: "skeletons with a text",
		html: framed("Skeleton coast", `<main><h1>Skeleton coast</h1><p class="skeleton">Bones of whales.</p><p class="skeleton">Bones of ships.</p><p class="skeleton">Fog.</p></main><script>1</script>`),
		has:  []string{"Bones of whales"},
	},
	{
		name: "code alone, and comments by script",
		html: bare("gauge.sh", `<pre><code>curl -s "$GAUGE" | awk '{print $2}'</code></pre><noscript>Please enable JavaScript to view the comments.</noscript><div id="root"></div><script>1</script>`),
		has:  []string{"awk"},
	},
	{
		name: "an index that is all navigation",
		html: bare("Index", `<nav><ul>`+rows(40, `<li><a href="/%[1]d">Volume %[2]d of the register</a></li>`)+`</ul></nav><noscript>Please enable JavaScript.</noscript><script>1</script>`),
		has:  []string{"Volume 40"},
	},
	{
		name: "pictures alone",
		html: bare("Mole", appNoscript+`<div id="root"><img src="/mole.jpg" alt="The mole at low water" width="800" height="600"></div><script>1</script>`),
		has:  []string{"The mole at low water"},
	},
	{
		name: "something did go wrong",
		html: bare("Log", `<h1>Something went wrong</h1><p>On the fourth day the winch took the rope and the bucket with it.</p><script>1</script>`),
		has:  []string{"took the rope"},
	},
	{
		name: "placeholders that are put away",
		html: bare("Boats", `<div id="root"><h1>Boats today</h1><p>17</p><div style="display:none"><i class="skeleton"></i><i class="skeleton"></i><i class="skeleton"></i></div></div><script>1</script>`),
		has:  []string{"17"},
	},
	{
		name: "an index that is all navigation, and an arrow",
		html: bare("Index", `<nav><ul>`+rows(40, `<li><a href="/%[1]d">Volume %[2]d of the register</a></li>`)+`</ul></nav><a href="#top">↑</a><script>1</script>`),
		has:  []string{"Volume 40"},
	},
}
