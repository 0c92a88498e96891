// Digests of calls that were split, and of calls that came to nothing.
import { line, redact } from "./clean.ts";

const failedHeading = "Failed:\n";

/** One file of a document. Binary files have no lines. */
export interface Body {
	name: string;
	path: string;
	lines: number;
	bytes: number;
}

/** A URL with its document, or without one and the reasons; docs/protocol.md, "fetch". */
export interface Outcome {
	url: string;
	document?: { title?: string; bodies: Body[]; [field: string]: unknown };
	attempts: { source: string; reason: string }[];
	reason?: string;
}

/** What a fetch came to. */
export interface Result {
	digest: string;
	artifactRoot: string;
	outcomes: Outcome[];
	warnings: string[];
}

/** The result of a request that got none: every URL failed for one reason. */
export function failAll(urls: readonly string[], reason: string): Result {
	const outcomes = urls.map((url) => ({ url: line(redact(url)), attempts: [], reason: line(reason) }));
	const digest = failedHeading + outcomes.map((o) => `- ${o.url}\n  ${o.reason}\n`).join("");
	return { digest, artifactRoot: "", outcomes, warnings: [] };
}

/** One result of the results of one call that was split. */
export function join(parts: readonly Result[]): Result {
	const [first] = parts;
	if (first && parts.length === 1) return first;
	return {
		digest: joinDigests(parts.map((p) => p.digest)),
		artifactRoot: parts.find((p) => p.artifactRoot)?.artifactRoot ?? "",
		outcomes: parts.flatMap((p) => p.outcomes),
		warnings: [...new Set(parts.flatMap((p) => p.warnings))],
	};
}

/**
 * Numbers the documents through and makes one list of all failures. It relies
 * on what every digest keeps: only the number of a document, the heading of
 * the failures and a failed URL stand at the start of a line.
 */
export function joinDigests(digests: readonly string[]): string {
	const parts: string[] = [];
	const failures: string[] = [];
	let number = 0;
	for (const digest of digests) {
		const text = `\n${digest.trimEnd()}`;
		const at = text.indexOf(`\n${failedHeading}`);
		const delivered = (at < 0 ? text : text.slice(0, at)).replace(/^\n+|\n+$/g, "");
		if (delivered) parts.push(delivered.replace(/^\d+(?=\. )/gm, () => String(++number)));
		if (at >= 0) failures.push(text.slice(at + 1 + failedHeading.length));
	}
	if (failures.length > 0) parts.push(failedHeading + failures.join("\n"));
	return parts.join("\n\n");
}
