// Loads the extension from the folder src beside it, in place of pi, and prints what came of it as JSON.
// Usage: node extension.mjs '{"draw": [{"args": …, "result": …, "options": {…}, "context": {…}, "width": 80}, …]}'
// A drawing is of the result, where there is one, else of the call. Without draw the tool is called, the session
// ended by its first progress, and in a new session the tool is called again, with as many URLs as "again" says.
import { visibleWidth } from "@earendil-works/pi-tui";

const { draw, again } = JSON.parse(process.argv[2]);
const theme = { fg: (_colour, text) => `\u001b[33m${text}\u001b[39m`, bold: (text) => `\u001b[1m${text}\u001b[22m` };

const before = process.getActiveResourcesInfo().length;
const tools = [];
const commands = [];
const handlers = {};
(await import("./src/index.ts")).default({
	registerTool: (tool) => tools.push(tool),
	registerCommand: (name) => commands.push(name),
	on: (event, handler) => (handlers[event] = handler),
});
const [tool] = tools;
const out = { tools: tools.map((t) => t.name), commands, started: process.getActiveResourcesInfo().length - before };

if (draw) {
	out.drawings = draw.map(({ args, result, options, context, width }) => {
		const view = { ...context, args, ...(context?.keyHint && { keyHint: (_key, description) => `${context.keyHint} ${description}` }) };
		const drawn = result ? tool.renderResult(result, options, theme, view) : tool.renderCall(args, theme, view);
		const lines = drawn.render(width);
		return { lines: lines.map((l) => l.replace(/\u001b\[[0-9;]*m/g, "").trimEnd()), widest: Math.max(0, ...lines.map(visibleWidth)) };
	});
} else {
	const notices = [];
	const ctx = { sessionManager: { getSessionId: () => "s1" }, ui: { notify: (message) => notices.push(message) } };
	const execute = (urls, onUpdate) => tool.execute("call", { urls }, undefined, onUpdate, ctx);
	handlers.session_start({}, ctx);
	out.updates = [];
	const ended = execute(["https://a.example/"], (partial) => {
		out.updates.push(partial);
		handlers.session_shutdown();
		handlers.session_shutdown();
	});
	out.ended = await ended.then(String, (error) => error.message);
	handlers.session_start({}, ctx);
	out.again = await execute(
		Array.from({ length: again }, (_, i) => `https://a.example/${i}`),
		(partial) => out.updates.push(partial),
	);
	out.notices = notices;
}
console.log(JSON.stringify(out));
