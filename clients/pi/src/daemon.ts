// Reaching the daemon, whether it runs, must be started or is just leaving, and
// asking it for something.
import { setTimeout as sleep } from "node:timers/promises";
import { Connection, type Event, type Status } from "./connection.ts";
import { AbortedError, DaemonError, LostError, NoDaemonError, StartError } from "./errors.ts";
import type { Paths } from "./paths.ts";
import { checkProtocol, outdated, protocol } from "./skew.ts";
import { type Child, program, start } from "./spawn.ts";

export interface Config {
	paths: Paths;
	/** Of this client, for hello: "pi/1.6.0". */
	client: string;
	/** Path of pifetchd; undefined: the one on PATH. */
	pifetchd: string | undefined;
	env: NodeJS.ProcessEnv;
	/** After so long without a sign of life the daemon hangs; 20 s when not given. */
	silenceMs?: number;
}

export interface CallOptions {
	signal?: AbortSignal | undefined;
	onStatus?: ((status: Status) => void) | undefined;
	/** Start no daemon when none runs. */
	noSpawn?: boolean;
}

/** The periods of docs/protocol.md. */
const startMs = 30_000; // how long a new daemon may take to answer
const leaveMs = 60_000; // how long a daemon that is leaving may take
const helloMs = 10_000; // how long a daemon may take to answer hello
const defaultSilenceMs = 20_000;
const minPauseMs = 5;
const maxPauseMs = 250;

/**
 * Sends one request on a connection of its own and resolves to its result. A
 * daemon that went away before it began with the request is replaced once.
 */
export async function call(config: Config, op: string, fields: object, options: CallOptions = {}): Promise<Event> {
	for (let again = true; ; again = false) {
		const connection = await open(config, options);
		let begun = false;
		try {
			if (op !== "status") checkProtocol(connection.hello);
			return await connection.request(op, fields, {
				signal: options.signal,
				silenceMs: config.silenceMs ?? defaultSilenceMs,
				onStatus: (status) => {
					begun ||= status.stage !== "queued";
					options.onStatus?.(status);
				},
			});
		} catch (error) {
			const gone = error instanceof LostError || (error instanceof DaemonError && error.code === "shutting_down");
			if (!gone || begun || !again) throw error;
		} finally {
			connection.close();
		}
	}
}

class DrainingError extends Error {}

/** Reaches a daemon that serves, and starts one when there is none, or an idle one of an earlier release. */
async function open(config: Config, options: CallOptions): Promise<Connection> {
	const { paths, env } = config;
	const { signal } = options;
	let child: Child | undefined;
	let deadline = 0;
	let leaving = false;
	let compared = options.noSpawn || env.PIFETCHD_AUTOSTART === "0";
	for (let pause = minPauseMs; ; pause = Math.min(pause * 1.5, maxPauseMs)) {
		if (signal?.aborted) throw new AbortedError();
		try {
			const connection = await greet(config, signal);
			if (compared) return connection;
			compared = true; // whatever comes next is taken as it is
			if (!(await replaced(config, connection, signal))) return connection;
			connection.close();
		} catch (error) {
			const draining = error instanceof DrainingError;
			const crowded = (error as NodeJS.ErrnoException).code === "EAGAIN";
			if (!draining && !crowded && !(error instanceof NoDaemonError)) throw error;
			if (options.noSpawn && !crowded) throw new NoDaemonError();
			if (env.PIFETCHD_AUTOSTART === "0" && !crowded) {
				throw new NoDaemonError("pifetchd is not running, and PIFETCHD_AUTOSTART=0 keeps it from being started — start pifetchd, or unset that");
			}
			// A daemon that leaves gets longer than one that starts, and what comes after it has its own time.
			if (!deadline || draining !== leaving) {
				leaving = draining;
				deadline = Date.now() + (draining ? leaveMs : startMs);
			}
			if (Date.now() > deadline && crowded) throw new Error("reach pifetchd: too many clients connect to it at once");
			if (Date.now() > deadline) throw tooLate(child, leaving, paths);
			const end = child?.ended();
			if (child && end?.failure !== undefined) {
				throw new StartError([end.failure, child.lastLine(), `log: ${paths.log}`].filter(Boolean).join(": "));
			}
			// One that left in order found another daemon, which is about to listen or to leave.
			if (end) child = undefined;
			if (error instanceof NoDaemonError) child ??= start(program(config.pifetchd, env), paths, env);
			await sleep(pause);
		}
	}
}

function tooLate(child: Child | undefined, leaving: boolean, paths: Paths): Error {
	if (leaving) return new StartError(`the daemon before it is still shutting down after ${leaveMs / 1000} s`);
	const who = child?.pid ? `pid ${child.pid} does not answer` : "none answers";
	return new StartError(`${who} after ${startMs / 1000} s — look at the end of ${paths.log}`);
}

/** Connects and says hello, which takes a daemon that went away meanwhile for none. */
async function greet(config: Config, signal: AbortSignal | undefined): Promise<Connection> {
	const connection = await Connection.connect(config.paths.sock, helloMs);
	try {
		const hello = await connection.request("hello", { client: config.client, protocol }, { signal, silenceMs: helloMs });
		connection.hello = hello;
		connection.pid = typeof hello.pid === "number" ? hello.pid : undefined;
		if (hello.state === "draining") throw new DrainingError();
		return connection;
	} catch (error) {
		connection.close();
		throw error instanceof LostError ? new NoDaemonError() : error;
	}
}

/** Makes an idle daemon leave that is older than the one to be started. */
async function replaced(config: Config, connection: Connection, signal: AbortSignal | undefined): Promise<boolean> {
	const { hello } = connection;
	try {
		if (!hello || !(await outdated(hello, () => program(config.pifetchd, config.env), config.env))) return false;
		await connection.request("retire", {}, { signal, silenceMs: helloMs });
		return true;
	} catch (error) {
		if (error instanceof DaemonError) return error.code === "draining"; // else it has something to do, and serves us as well
		connection.close();
		if (error instanceof LostError) return true;
		throw error;
	}
}
