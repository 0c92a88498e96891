// Starting pifetchd, so that it outlives this session and holds nothing of it:
// docs/protocol.md, "Starting the daemon".
import { spawn } from "node:child_process";
import { accessSync, chmodSync, closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, readSync, renameSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { daemonEnviron } from "./environ.ts";
import { message, StartError } from "./errors.ts";
import { expand, type Paths } from "./paths.ts";

/** From which size on a log is set aside before it is appended to. */
const maxLog = 10 << 20;

/** A daemon that was started here. */
export interface Child {
	pid: number | undefined;
	/** Undefined while it runs; then whether it left in order, and why else it failed. */
	ended(): { failure?: string } | undefined;
	/** The last line it has written that is not blank. */
	lastLine(): string;
}

/**
 * The pifetchd to start: the one that is configured, else the first on PATH.
 * It is looked for anew each time, because an upgrade may have moved it.
 */
export function program(configured: string | undefined, env: NodeJS.ProcessEnv): string {
	if (configured) {
		const path = expand(configured, env);
		if (!isAbsolute(path)) throw new StartError(`webTools.pi.pifetchd must be an absolute path, or begin with ~/: ${configured}`);
		if (!executable(path)) throw new StartError(`webTools.pi.pifetchd names no program: ${path}`);
		return path;
	}
	for (const dir of (env.PATH ?? "").split(delimiter)) {
		// A relative entry would take it from the project pi runs in.
		if (isAbsolute(dir) && executable(join(dir, "pifetchd"))) return join(dir, "pifetchd");
	}
	throw new StartError(
		"pifetchd is not on PATH — install pifetch (make install), or set webTools.pi.pifetchd in pi's settings.json to its path",
	);
}

function executable(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return statSync(path).isFile();
	} catch {
		return false;
	}
}

/** Starts it in a session of its own, with / as its folder and its output in the log. */
export function start(program: string, paths: Paths, env: NodeJS.ProcessEnv): Child {
	let log: number;
	let offset: number;
	try {
		log = openLog(paths);
		offset = fstatSync(log).size;
	} catch (error) {
		throw new StartError(message(error));
	}
	let ended: { failure?: string } | undefined;
	try {
		const child = spawn(program, [], {
			cwd: "/",
			detached: true,
			env: daemonEnviron(env, paths.agentDir),
			stdio: ["ignore", log, log],
		});
		child.once("error", (error) => (ended ??= { failure: error.message }));
		child.once("exit", (code, signal) => (ended ??= code === 0 ? {} : { failure: signal ? `ended by ${signal}` : `exit code ${code}` }));
		child.unref();
		return { pid: child.pid, ended: () => ended, lastLine: () => lastLine(paths.log, offset) };
	} catch (error) {
		throw new StartError(message(error));
	} finally {
		closeSync(log);
	}
}

function openLog(paths: Paths): number {
	mkdirSync(paths.agentDir, { recursive: true, mode: 0o700 });
	if (!lstatSync(paths.dir, { throwIfNoEntry: false })) {
		mkdirSync(paths.dir, { recursive: true, mode: 0o700 });
		chmodSync(paths.dir, 0o700); // whatever the umask
	}
	const size = lstatSync(paths.log, { throwIfNoEntry: false })?.size ?? 0;
	if (size > maxLog) renameSync(paths.log, `${paths.log}.old`);
	const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
	return openSync(paths.log, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
}

function lastLine(log: string, from: number): string {
	const tail = Buffer.alloc(4096); // a longer line is cut at its beginning
	try {
		const file = openSync(log, "r");
		try {
			const n = readSync(file, tail, 0, tail.length, Math.max(from, fstatSync(file).size - tail.length));
			return tail.toString("utf8", 0, n).trimEnd().split("\n").pop() ?? "";
		} finally {
			closeSync(file);
		}
	} catch {
		return "";
	}
}
