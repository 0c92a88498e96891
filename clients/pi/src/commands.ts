// /open-browser and /browser: the login window, for the person at pi.
import type { ExtensionAPI, ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import { line } from "./clean.ts";
import type { Event } from "./connection.ts";
import type { CallOptions } from "./daemon.ts";
import { message, NoDaemonError } from "./errors.ts";

export type Call = (op: string, fields: object, options?: CallOptions) => Promise<Event>;

export function registerCommands(pi: ExtensionAPI, call: Call, display: () => object): void {
	const command = (name: string, description: string, values: string[], run: (args: string) => Promise<string>) =>
		pi.registerCommand(name, {
			description,
			...(values.length > 0 && {
				getArgumentCompletions: (prefix: string) => values.filter((v) => v.startsWith(prefix)).map((value) => ({ value, label: value })),
			}),
			handler: async (args, ctx) => tell(ctx, () => run(args.trim())),
		});

	command("open-browser", "Open Chrome on pifetch's profile, to log in: /open-browser [URL]", [], async (args) => {
		const url = args.replace(/^(['"])(.*)\1$/, "$2");
		if (/\s/.test(url)) throw new Error("usage: /open-browser [URL]");
		const result = await call("open-browser", { url: url || undefined, display: display() });
		if (!result.already) return "Chrome is open; quit it when you are done, and fetching resumes";
		return url ? "Chrome was open already; the page opened in it" : "Chrome was open already";
	});

	command("browser", "Look at or close pifetch's browser: /browser status|close", ["status", "close"], async (args) => {
		try {
			switch (args) {
				case "":
				case "status":
					return describe((await call("status", {}, { noSpawn: true })) as unknown as Status);
				case "close": {
					const result = await call("close-browser", {}, { noSpawn: true });
					return result.closed ? "Chrome has been closed; fetching resumes" : "Chrome was not open";
				}
			}
		} catch (error) {
			if (error instanceof NoDaemonError) return "pifetchd is not running; the next fetch starts it";
			throw error;
		}
		throw new Error("usage: /browser status|close");
	});
}

/** What is used here of the answer to the op status. */
interface Status {
	version: string;
	pid: number;
	state: string;
	requests: { op: string; client: string; urls?: number }[];
	browser: { running: boolean; busy: number; tabs: number; queued: number; interactive?: { url?: string } };
	warnings?: string[];
}

function describe(s: Status): string {
	const { browser } = s;
	const parts = [`pifetchd ${s.version}, pid ${s.pid}, ${s.state}`, `requests: ${s.requests.length}`];
	parts.push(browser.running ? `browser: ${browser.busy} of ${browser.tabs} tabs busy, ${browser.queued} URLs queued` : "browser: not running");
	if (browser.interactive) parts.push(`login window: open ${browser.interactive.url ?? ""}`);
	for (const w of s.warnings ?? []) parts.push(`warning: ${w}`);
	return parts.map(line).join("\n");
}

/** Shows what came of a command; without a user interface an error has to be thrown to be seen. */
async function tell(ctx: ExtensionCommandContext, run: () => Promise<string>): Promise<void> {
	try {
		ctx.ui.notify(await run(), "info");
	} catch (error) {
		const text = line(message(error));
		if (!ctx.hasUI) throw new Error(text);
		ctx.ui.notify(text, "error");
	}
}
