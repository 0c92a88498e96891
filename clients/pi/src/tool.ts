// The tool that the model calls.
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";
import { unique } from "./clean.ts";
import type { Result } from "./digest.ts";
import { type FetchOptions, fetch, type Request } from "./fetch.ts";
import { Progress, type ProgressDetails } from "./progress.ts";
import { renderCall, renderResult } from "./render.ts";
import { Rows } from "./rows.ts";
import * as text from "./text.ts";

/** The structured outcome of a call, kept in the session and never sent to the model. */
export type Details = Omit<Result, "digest"> | ProgressDetails;

export type Fetch = (request: Request, options: FetchOptions) => ReturnType<typeof fetch>;

/** Registers the tool under a name; the texts call it web_fetch. */
export function registerTool(pi: ExtensionAPI, name: string, fetch: Fetch): void {
	const parameters = Type.Object({
		urls: Type.Array(Type.String({ minLength: 1 }), { minItems: 1, description: text.urls }),
		objective: Type.Optional(Type.String({ description: text.objective })),
	});
	const definition = {
		name,
		label: text.label,
		description: text.description,
		promptSnippet: text.snippet,
		promptGuidelines: text.guidelines.map((g) => g.replaceAll(text.tool, name)),
		annotations: { readOnlyHint: true, openWorldHint: true }, // pi 0.74 ignores them
		parameters,
	};
	pi.registerTool<typeof parameters, Details>({
		...definition,
		async execute(_id, { urls, objective }, signal, onUpdate, ctx) {
			const progress = new Progress(unique(urls).length);
			let last = "";
			const result = await fetch(
				{ urls, objective, session: ctx.sessionManager.getSessionId() },
				{
					signal,
					onPart: () => progress.settle(),
					onStatus: (status) => {
						progress.update(status);
						if (progress.text === last) return;
						last = progress.text;
						onUpdate?.({ content: [{ type: "text", text: last }], details: progress.details });
					},
				},
			);
			const { digest, artifactRoot, outcomes, warnings } = result;
			return { content: [{ type: "text", text: digest.trimEnd() }], details: { artifactRoot, outcomes, warnings } };
		},
		renderCall: (args, theme, context) => new Rows(renderCall(name, args, theme, context)),
		renderResult: (result, options, theme, context) => new Rows(renderResult(result, options, theme, context)),
	});
}
