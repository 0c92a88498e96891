package local

var notFoundPages = []madeUp{
	{
		name:   "title and heading",
		html:   framed("Page not found", `<main><h1>Page not found</h1><p>Sorry, the page you are looking for does not exist or has been moved.</p><a href="/">Back to the homepage</a></main>`),
		reason: "page not found: the server answered 200 OK, but the page says “Page not found”",
	},
	{
		name:   "number and sentence",
		html:   bare("404: This page could not be found.", `<div><h1>404</h1><h2>This page could not be found.</h2></div>`),
		reason: "page not found",
	},
	{
		name:   "oops",
		html:   framed("Harbour Gazette", `<main><h1>Oops! That page can&rsquo;t be found.</h1><p>It looks like nothing was found at this location. Maybe try a search?</p><form><input name=s><button>Search</button></form></main>`),
		reason: "page not found",
	},
	{
		name:   "error 404",
		html:   framed("Error 404 - Not Found!", `<main><h2>Error 404</h2><p>The page you requested could not be found.</p></main>`),
		reason: "page not found",
	},
	{
		name:   "with a list of others",
		html:   framed("Page Not Found", `<main><h1>We couldn't find that page</h1><p>It may have been moved, or the address may be mistyped.</p><h2>Popular now</h2><ul><li><a href="/1">Crane number four is back</a></li><li><a href="/2">Why the bridge hums at force six</a></li><li><a href="/3">Ferry cat retires after nine years</a></li></ul></main>`),
		reason: "page not found",
	},
	{
		name:   "german",
		html:   framed("Seite nicht gefunden", `<main><h1>Seite nicht gefunden</h1><p>Die gesuchte Seite gibt es nicht mehr.</p></main>`),
		reason: "page not found",
	},
	{
		name:   "french",
		html:   framed("Erreur 404", `<main><h1>Page introuvable</h1><p>La page que vous cherchez n'existe pas ou plus.</p></main>`),
		reason: "page not found",
	},
	{
		name:   "japanese",
		html:   framed("ページが見つかりません", `<main><h1>ページが見つかりません</h1><p>お探しのページは移動または削除された可能性があります。</p></main>`),
		reason: "page not found",
	},
	{
		name:   "gone product",
		html:   framed("404 Not Found", `<main><h1>This page doesn't exist</h1><p>The page you were looking for is no longer available.</p><a href="/">Continue shopping</a></main>`),
		reason: "page not found",
	},
	{
		name: "in an application", path: "/#/nowhere",
		html:   bare("Planner", `<div id="root"><h1>404</h1><p>Sorry, we can't find the page you're looking for.</p><a href="/">Go home</a></div><script>1</script>`),
		reason: "page not found",
	},
	{
		name:  "long, but says so",
		html:  framed("Page not found", `<main><h1>Page not found</h1><p>Sorry, the page you are looking for does not exist.</p><h2>From the archive</h2>`+prose(400)+`</main>`),
		facts: []string{"the page says “Page not found”"}, has: []string{storyText},
	},
	{
		name: "sent to the front page", path: "/", from: "/articles/2019/gauge",
		html: story(200, ""), facts: []string{"redirected to the site's front page"}, has: []string{storyText},
	},

	// None of them.
	{
		name: "reference of the status",
		html: framed("404 Not Found", `<main><h1>404 Not Found</h1><p>The HTTP 404 Not Found client error response status code indicates that the server cannot find the requested resource. Links that lead to a 404 page are often called broken or dead links.</p><h2>Status</h2><pre><code>404 Not Found</code></pre></main>`),
		has:  []string{"broken or dead links"},
	},
	{
		name: "glossary",
		html: framed("404 not found", `<main><h1>404 not found</h1><p>A 404 is the answer of a web server that does not have the page you are looking for. It means that the address is wrong, or that the page was removed.</p></main>`),
		has:  []string{"the answer of a web server"},
	},
	{
		name: "short article",
		html: framed("Our page not found page has a cat now", `<main><article><h1>Our page not found page has a cat now</h1><p>If the page you are looking for does not exist, a cat looks back at you since this morning. The cat is called Bollard.</p></article></main>`),
		has:  []string{"The cat is called Bollard"},
	},
	{
		name: "question",
		html: framed("Page not found after deploying", `<main><h1>Page not found after deploying</h1><p>Every route but the first says page not found. What do I miss?</p><p>Add a rule that serves index.html for all of them.</p></main>`),
		has:  []string{"serves index.html"},
	},
	{
		name: "a number",
		html: framed("404", `<main><h1>404</h1><p>The Peugeot 404 was built from 1960 to 1975, and as a pickup until 1988.</p></main>`),
		has:  []string{"built from 1960"},
	},
	{
		name: "a song", html: framed("Not Found", `<main><h1>Not Found</h1><p>Third song of the second record of the Mole Choir, four minutes long.</p></main>`),
		has: []string{"Third song"},
	},
	{
		name: "no results", path: "/find",
		html: framed("Search", `<main><h1>Nothing found</h1><p>Sorry, but nothing matched your search terms. Please try again with different words.</p></main>`),
		has:  []string{"nothing matched"},
	},
	{
		name: "an empty folder",
		html: framed("Inbox", `<main><h1>Nothing here</h1><p>All letters are answered.</p></main>`),
		has:  []string{"All letters are answered"},
	},
}
