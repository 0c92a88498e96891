// A fetch of any number of URLs.
import { unique } from "./clean.ts";
import { type CallOptions, type Config, call } from "./daemon.ts";
import { failAll, join, type Result } from "./digest.ts";
import { display, secrets } from "./environ.ts";
import { AbortedError, LostError, message, SilentError } from "./errors.ts";

/** How many URLs one request may have. */
const maxURLs = 50;

export interface FetchOptions extends CallOptions {
	/** Called when the URLs of a request are done, of more than 50 before the next are asked for. */
	onPart?: () => void;
}

export interface Request {
	urls: readonly string[];
	objective?: string | undefined;
	/** Requests of one session share one turn in the queue for tabs. */
	session: string;
}

/**
 * Fetches each URL once. More than 50 are asked for one after the other and
 * come to one result. When the daemon is lost, or fails after it has delivered
 * a part, the URLs that have no outcome yet are listed as failed.
 * @throws what made the request fail as a whole. When it broke off, the message lists the URLs.
 */
export async function fetch(config: Config, request: Request, options: FetchOptions): Promise<Result> {
	const urls = unique(request.urls);
	const parts: Result[] = [];
	for (let i = 0; i < urls.length; i += maxURLs) {
		const fields = {
			urls: urls.slice(i, i + maxURLs),
			objective: request.objective || undefined,
			artifactRoot: parts[0]?.artifactRoot, // one call, one folder
			session: request.session,
			env: secrets(config.env),
			display: display(config.env),
		};
		try {
			parts.push((await call(config, "fetch", fields, options)) as unknown as Result);
			options.onPart?.();
		} catch (error) {
			const broke = error instanceof LostError || error instanceof SilentError;
			if (error instanceof AbortedError || (!broke && parts.length === 0)) throw error;
			const rest = failAll(urls.slice(i), message(error));
			if (parts.length === 0) throw new Error(rest.digest.trimEnd());
			parts.push(rest);
			break;
		}
	}
	return join(parts);
}
