// How far a fetch is, in a few lines.
import { bytes, cap, line } from "./clean.ts";
import type { Status } from "./connection.ts";

const shown = 6; // URLs, at most
const width = 100; // of a line, in characters

/** Details of a tool result that is partial. */
export interface ProgressDetails {
	done: number;
	total: number;
}

export class Progress {
	readonly #total: number;
	readonly #latest = new Map<string, Status>(); // by URL, in the order in which they began

	constructor(total: number) {
		this.#total = total;
	}

	update(status: Status): void {
		this.#latest.set(status.url, status);
	}

	/** Nothing is under way any more: what has not been written has failed. */
	settle(): void {
		for (const [url, { stage }] of this.#latest) if (stage !== "written") this.#latest.delete(url);
	}

	get details(): ProgressDetails {
		const done = [...this.#latest.values()].filter((s) => s.stage === "written").length;
		return { done, total: this.#total };
	}

	/** The count, then what happens to the URLs that are under way. */
	get text(): string {
		const active = [...this.#latest.values()].filter((s) => s.stage !== "written" && s.stage !== "queued");
		const { done, total } = this.details;
		const text = [`${done} of ${total} fetched`];
		for (const s of active.slice(0, shown)) text.push(cap(line(`${s.stage}${amount(s)} ${s.url}`), width));
		if (active.length > shown) text.push(`… ${active.length - shown} more`);
		return text.join("\n");
	}
}

function amount(s: Status): string {
	if (s.stage !== "downloading" || s.bytes === undefined) return "";
	return ` ${bytes(s.bytes)}${s.total ? ` of ${bytes(s.total)}` : ""}`;
}
