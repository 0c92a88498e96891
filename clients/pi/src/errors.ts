// What can go wrong between here and the daemon. Every message is one line for
// a person or a model, with the next step where there is one.

/** No daemon listens. */
export class NoDaemonError extends Error {
	constructor(reason = "pifetchd is not running") {
		super(reason);
	}
}

/** The daemon could not be started. */
export class StartError extends Error {
	constructor(reason: string) {
		super(`start pifetchd: ${reason}`);
	}
}

/** The daemon answered a request with an error; codes are those of docs/protocol.md. */
export class DaemonError extends Error {
	readonly code: string;
	constructor(code: string, reason: string) {
		super(reason);
		this.code = code;
	}
}

/** The connection ended before the answer: what became of the request is not known. */
export class LostError extends Error {
	constructor(reason: string) {
		super(`the connection to pifetchd was lost: ${reason}`);
	}
}

/** The daemon accepts connections and gives no sign of life. */
export class SilentError extends Error {
	constructor(pid: number | undefined) {
		super(
			pid === undefined
				? "pifetchd hangs: it gives no sign of life — run pifetchctl status, which names its process"
				: `pifetchd (pid ${pid}) hangs: it gives no sign of life — end it with: kill -9 ${pid}`,
		);
	}
}

/** The user, or the end of the session, ended the request. */
export class AbortedError extends Error {
	constructor() {
		super("Aborted");
	}
}

/** Message of whatever was thrown. */
export function message(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
