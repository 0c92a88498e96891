// One connection to a daemon: requests out, events in, one JSON object a line.
import { lstatSync } from "node:fs";
import { createConnection, type Socket } from "node:net";
import { dirname } from "node:path";
import { AbortedError, DaemonError, LostError, message, NoDaemonError, SilentError } from "./errors.ts";

/** What the daemon sends; fields beyond these depend on the op. */
export interface Event {
	id: string;
	event: string;
	[field: string]: unknown;
}

/** Progress of one URL. */
export interface Status {
	url: string;
	stage: string;
	bytes?: number;
	total?: number;
}

export interface RequestOptions {
	/** Its abort cancels the request in the daemon and rejects at once. */
	signal?: AbortSignal | undefined;
	onStatus?: ((status: Status) => void) | undefined;
	/** After so long without a sign of life the daemon hangs. */
	silenceMs: number;
}

interface Pending {
	event(e: Event): void;
	fail(error: Error): void;
}

const maxLine = 16 << 20;
const errorsOfNoDaemon = ["ENOENT", "ECONNREFUSED", "ENOTSOCK"];

export class Connection {
	/** Of the daemon, once hello has told it. */
	pid: number | undefined;
	/** What the daemon said of itself. */
	hello: Event | undefined;

	readonly #socket: Socket;
	readonly #pending = new Map<string, Pending>();
	#last = 0;
	#ended: Error | undefined;
	#rest: string[] = []; // of a line that has not ended
	#restLength = 0;

	/** Connects to the user's own daemon; rejects with NoDaemonError when none listens. */
	static async connect(sock: string, timeoutMs: number): Promise<Connection> {
		checkOwner(sock);
		const socket = createConnection({ path: sock });
		try {
			await new Promise<void>((resolve, reject) => {
				const timer = setTimeout(() => reject(new SilentError(undefined)), timeoutMs);
				socket.once("connect", resolve).once("error", reject).once("close", () => clearTimeout(timer)).once("connect", () => clearTimeout(timer));
			});
		} catch (error) {
			socket.destroy();
			if (errorsOfNoDaemon.includes((error as NodeJS.ErrnoException).code ?? "")) throw new NoDaemonError();
			throw error;
		}
		return new Connection(socket);
	}

	private constructor(socket: Socket) {
		this.#socket = socket;
		socket.setEncoding("utf8");
		socket.on("data", (chunk) => this.#read(String(chunk)));
		socket.on("error", (error) => this.#end(new LostError(error.message)));
		socket.on("close", () => this.#end(new LostError("pifetchd closed it")));
	}

	/** Sends one request and resolves to its result. */
	request(op: string, fields: object, options: RequestOptions): Promise<Event> {
		const { signal, onStatus, silenceMs } = options;
		const id = String(++this.#last);
		return new Promise<Event>((resolve, reject) => {
			let timer: NodeJS.Timeout | undefined;
			const settle = (finish: () => void) => {
				clearTimeout(timer);
				signal?.removeEventListener("abort", abort);
				this.#pending.delete(id);
				finish();
			};
			const fail = (error: Error) => settle(() => reject(error));
			const listen = () => {
				clearTimeout(timer);
				timer = setTimeout(() => this.#end(new SilentError(this.pid)), silenceMs);
			};
			const abort = () => {
				this.#send({ id: String(++this.#last), op: "cancel", target: id });
				fail(new AbortedError());
			};
			if (signal?.aborted) return reject(new AbortedError());
			if (this.#ended) return reject(this.#ended);
			signal?.addEventListener("abort", abort, { once: true });
			this.#pending.set(id, {
				fail,
				event: (e) => {
					if (e.event === "result") settle(() => resolve(e));
					else if (e.event === "error") fail(new DaemonError(String(e.code), String(e.reason)));
					else {
						listen();
						if (e.event === "status") onStatus?.(e as unknown as Status);
					}
				},
			});
			listen();
			this.#send({ ...fields, id, op });
		});
	}

	/** Ends the connection after what was written, a cancel for instance. */
	close(): void {
		this.#socket.destroySoon();
		this.#end(new LostError("it was closed here"));
	}

	#send(request: object): void {
		this.#socket.write(`${JSON.stringify(request)}\n`);
	}

	#read(chunk: string): void {
		const lines = chunk.split("\n");
		const rest = lines.pop() ?? "";
		for (const line of lines) {
			const whole = this.#rest.join("") + line;
			this.#rest = [];
			this.#restLength = 0;
			if (whole.trim() && !this.#ended) this.#dispatch(whole);
		}
		this.#rest.push(rest);
		this.#restLength += rest.length;
		if (this.#restLength > maxLine) this.#end(new LostError("pifetchd sent a line without end"));
	}

	#dispatch(line: string): void {
		let e: Event;
		try {
			e = JSON.parse(line) as Event;
		} catch (error) {
			return this.#end(new LostError(`pifetchd sent what is not an event: ${message(error)}`));
		}
		// An error without an id is about the connection: another user's socket, or no room.
		if (e.id === "" && e.event === "error") return this.#end(new DaemonError(String(e.code), String(e.reason)));
		this.#pending.get(e.id)?.event(e);
	}

	/** The first reason stays. */
	#end(error: Error): void {
		if (this.#ended) return;
		this.#ended = error;
		if (!this.#socket.writableEnded) this.#socket.destroy();
		for (const p of [...this.#pending.values()]) p.fail(error);
	}
}

/**
 * Makes sure that nobody but the user can have made the socket: Node cannot ask
 * who is at the other end.
 */
function checkOwner(sock: string): void {
	const uid = process.geteuid?.();
	const folder = lstatSync(dirname(sock), { throwIfNoEntry: false });
	const socket = lstatSync(sock, { throwIfNoEntry: false });
	if (!folder || !socket?.isSocket()) throw new NoDaemonError(); // the next daemon replaces a plain file
	if (!folder.isDirectory() || folder.uid !== uid || (folder.mode & 0o077) !== 0) {
		throw new Error(`reach pifetchd: ${dirname(sock)} is not a folder of yours with mode 0700`);
	}
	if (socket.uid !== uid) throw new Error(`reach pifetchd: ${sock} belongs to another user (uid ${socket.uid})`);
}
