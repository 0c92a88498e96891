// How a call of the tool and its result look in pi's transcript.
import type { AgentToolResult, Theme } from "@earendil-works/pi-coding-agent";
import { bytes, cap, line, lines, redact } from "./clean.ts";
import type { Body, Outcome } from "./digest.ts";
import type { Row } from "./rows.ts";

const shown = 5; // URLs, or lines, of what is not expanded
const longest = 1000; // characters of one of them

/** What matters here of pi's context of a renderer. */
interface View {
	isError?: boolean;
	expanded?: boolean;
	/** The keys of a command with its description: "ctrl+o to expand". Not in pi 0.74. */
	keyHint?(keybinding: string, description: string): string;
}

/** The tool's name and what it fetches. Arguments may still be arriving. */
export function renderCall(name: string, args: unknown, theme: Theme, view: View): Row[] {
	const { urls, objective } = (args ?? {}) as { urls?: unknown; objective?: unknown };
	const all = (Array.isArray(urls) ? urls : [urls]).filter((u) => typeof u === "string").map((u) => theme.fg("muted", short(redact(u))));
	const title = theme.fg("toolTitle", theme.bold(name));
	const rows: Row[] = [];
	if (view.expanded && all.length > 1) rows.push({ head: title }, ...all.map((u) => ({ head: `  ${u}` })));
	else rows.push({ head: [title, ...all.slice(0, 1)].join(" "), tail: all.length > 1 ? theme.fg("dim", ` +${all.length - 1}`) : "" });
	if (typeof objective === "string" && objective) rows.push({ head: `  ${theme.fg("dim", short(objective))}`, ...(!view.expanded && { tail: "" }) });
	return rows;
}

/** A line for each document, and why there is none; expanded, the digest; while it runs, the progress. */
export function renderResult(
	result: AgentToolResult<unknown>,
	options: { expanded: boolean; isPartial: boolean },
	theme: Theme,
	view: View,
): Row[] {
	const text = lines(result.content.map((c) => (c.type === "text" ? c.text : "")).join("\n"));
	if (options.isPartial) return text.map((l) => ({ head: theme.fg("muted", l), tail: "" }));
	const outcomes = (result.details as { outcomes?: Outcome[] } | undefined)?.outcomes;
	const colour = view.isError ? "error" : "toolOutput";
	if (options.expanded) return text.map((l) => ({ head: theme.fg(colour, l) }));
	if (view.isError || !outcomes) {
		const rows = text.slice(0, shown).map((l) => ({ head: theme.fg(colour, cap(l, longest)) }));
		return [...rows, ...more(text.length - rows.length, "", theme, view)];
	}
	const rows = outcomes.slice(0, shown).map((o) => row(o, theme));
	const failed = outcomes.slice(shown).filter((o) => !o.document).length;
	return [...rows, ...more(outcomes.length - rows.length, failed > 0 ? `, ${failed} failed` : "", theme, view)];
}

/** A reason is not cut to one line: it may end with the command to run. */
function row({ url, document, reason, attempts }: Outcome, theme: Theme): Row {
	if (!document) {
		const why = reason ?? attempts.at(-1)?.reason ?? "failed";
		return { head: theme.fg("error", "✗ ") + theme.fg("toolOutput", short(`${url}: ${why}`)) };
	}
	const sizes = document.bodies.map(size).join(", ");
	return {
		head: theme.fg("success", "✓ ") + theme.fg("toolOutput", short(document.title || url)),
		tail: theme.fg("toolOutput", ` — ${short(sizes)}`),
	};
}

function more(n: number, what: string, theme: Theme, view: View): Row[] {
	if (n <= 0) return [];
	const hint = view.keyHint ? ` (${view.keyHint("app.tools.expand", "to expand")})` : "";
	return [{ head: theme.fg("dim", `… ${n} more${what}`) + hint }];
}

const short = (text: string) => cap(line(text), longest);

const size = (b: Body) => `${b.name} (${b.lines > 0 ? `${b.lines.toLocaleString("en-US")} lines, ` : ""}${bytes(b.bytes)})`;
