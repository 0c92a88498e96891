// The pi extension: the tool web_fetch and the commands /open-browser and
// /browser, all of them through pifetchd. Loading it starts nothing.
import { type ExtensionAPI, VERSION } from "@earendil-works/pi-coding-agent";
import { type CallOptions, type Config, call } from "./daemon.ts";
import { display } from "./environ.ts";
import { registerCommands } from "./commands.ts";
import { fetch } from "./fetch.ts";
import { agentDir, locate } from "./paths.ts";
import { settings } from "./settings.ts";
import { registerTool } from "./tool.ts";

export default function pifetch(pi: ExtensionAPI): void {
	const { toolName, pifetchd, warnings } = settings();
	let session = new AbortController(); // ends what is pending when the session ends

	const config = (): Config => ({
		paths: locate(agentDir(process.env), process.geteuid?.() ?? -1),
		client: `pi/${VERSION}`,
		pifetchd,
		env: process.env,
	});
	const within = (options: CallOptions): CallOptions => ({
		...options,
		signal: options.signal ? AbortSignal.any([options.signal, session.signal]) : session.signal,
	});

	registerTool(pi, toolName, (request, options) => fetch(config(), request, within(options)));
	registerCommands(pi, (op, fields, options = {}) => call(config(), op, fields, within(options)), () => display(process.env));

	pi.on("session_start", (_event, ctx) => {
		session = new AbortController();
		for (const w of warnings) ctx.ui.notify(`pifetch: ${w}`, "warning");
	});
	pi.on("session_shutdown", () => session.abort());
}
