// How a call of the tool and its result look in pi's transcript.
import type { AgentToolResult, Theme } from "@earendil-works/pi-coding-agent";
import { bytes, cap, line, lines, redact } from "./clean.ts";
import type { Body, Outcome } from "./digest.ts";

const shown = 5; // lines of a result that is not expanded
const width = 120; // of one of them, in characters

/** What matters here of pi's context of a renderer. */
interface View {
	isError?: boolean;
	expanded?: boolean;
}

/** The tool's name and what it fetches. Arguments may still be arriving. */
export function renderCall(name: string, args: unknown, theme: Theme, view: View): string {
	const { urls, objective } = (args ?? {}) as { urls?: unknown; objective?: unknown };
	const all = (Array.isArray(urls) ? urls : [urls]).filter((u) => typeof u === "string").map((u) => cap(line(redact(u)), width));
	let text = theme.fg("toolTitle", theme.bold(name));
	if (view.expanded && all.length > 1) text += all.map((u) => `\n  ${theme.fg("muted", u)}`).join("");
	else if (all.length > 0) text += ` ${theme.fg("muted", all[0] ?? "")}${all.length > 1 ? theme.fg("dim", ` +${all.length - 1}`) : ""}`;
	if (typeof objective === "string" && objective) text += `\n  ${theme.fg("dim", cap(line(objective), width))}`;
	return text;
}

/** A line for each URL; expanded, the digest; while it runs, the progress. */
export function renderResult(
	result: AgentToolResult<unknown>,
	options: { expanded: boolean; isPartial: boolean },
	theme: Theme,
	view: View,
): string {
	const content = result.content.map((c) => (c.type === "text" ? c.text : "")).join("\n");
	const outcomes = (result.details as { outcomes?: Outcome[] } | undefined)?.outcomes;
	if (options.isPartial) return colour(theme, "muted", lines(content));
	if (view.isError || !outcomes) {
		const text = lines(content);
		const cut = options.expanded ? text : text.slice(0, shown);
		return colour(theme, view.isError ? "error" : "toolOutput", cut) + more(theme, text.length - cut.length);
	}
	if (options.expanded) return colour(theme, "toolOutput", lines(content));
	const cut = outcomes.slice(0, shown).map((o) =>
		o.document
			? theme.fg("success", "✓ ") + theme.fg("toolOutput", cap(line(`${o.document.title || o.url} — ${o.document.bodies.map(size).join(", ")}`), width))
			: theme.fg("error", "✗ ") + theme.fg("toolOutput", cap(line(`${o.url}: ${reason(o)}`), width)),
	);
	return cut.join("\n") + more(theme, outcomes.length - cut.length);
}

const colour = (theme: Theme, name: "error" | "muted" | "toolOutput", text: string[]) => text.map((l) => theme.fg(name, l)).join("\n");

const more = (theme: Theme, n: number) => (n > 0 ? `\n${theme.fg("dim", `… ${n} more`)}` : "");

const size = (b: Body) => `${b.name} (${b.lines > 0 ? `${b.lines.toLocaleString("en-US")} lines, ` : ""}${bytes(b.bytes)})`;

const reason = (o: Outcome) => o.reason ?? o.attempts.at(-1)?.reason ?? "failed";
