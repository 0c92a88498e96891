// Where the daemon of this user listens. Daemon and clients compute the same
// paths from the agent directory alone: docs/protocol.md, "Where the socket is".
import { createHash } from "node:crypto";
import { lstatSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";

/** The longest socket path that every system takes, in bytes. */
const maxSock = 103;

export interface Paths {
	/** pi's agent directory, absolute and free of symbolic links as far as it exists. */
	agentDir: string;
	/** The run folder. */
	dir: string;
	/** In the run folder, or in a folder below /tmp when that is too long a path. */
	sock: string;
	/** Output of a daemon that was started by a client. */
	log: string;
}

/** PI_CODING_AGENT_DIR, else ~/.pi/agent. */
export function agentDir(env: NodeJS.ProcessEnv): string {
	return resolve(expand(env.PI_CODING_AGENT_DIR || "~/.pi/agent", env));
}

/** The path with a leading ~ or ~/ replaced by the home directory. */
export function expand(path: string, env: NodeJS.ProcessEnv): string {
	return path === "~" || path.startsWith("~/") ? (env.HOME || homedir()) + path.slice(1) : path;
}

/** The paths that belong to an agent directory, which need not exist yet. */
export function locate(agentDir: string, uid: number): Paths {
	const real = linkFree(resolve(agentDir));
	const dir = join(real, "pifetchd");
	let sock = join(dir, "sock");
	if (Buffer.byteLength(sock) > maxSock) {
		const hash = createHash("sha256").update(real).digest("hex").slice(0, 16);
		sock = `/tmp/pifetchd-${uid}/${hash}.sock`;
	}
	return { agentDir: real, dir, sock, log: join(dir, "pifetchd.log") };
}

/** Resolves the links of the part of the path that exists. */
function linkFree(path: string): string {
	if (lstatSync(path, { throwIfNoEntry: false }) === undefined && path !== "/") {
		return join(linkFree(dirname(path)), basename(path));
	}
	return realpathSync(path);
}
