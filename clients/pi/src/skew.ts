// Another version of the daemon than the one on disk: docs/protocol.md, "hello".
import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import type { Event } from "./connection.ts";

/** What this client speaks, major.minor. */
export const protocol = "1.0";

/**
 * Whether version a is of a later release than b. What git describe adds to a
 * tag does not count, and what has no release is never later or earlier.
 */
export function newer(a: string, b: string): boolean {
	const [x, y] = [release(a), release(b)];
	if (!x || !y) return false;
	for (let i = 0; i < 3; i++) {
		if (x.numbers[i] !== y.numbers[i]) return Number(x.numbers[i]) > Number(y.numbers[i]);
	}
	if (!x.pre || !y.pre) return !x.pre && y.pre !== "";
	return x.pre.localeCompare(y.pre, "en", { numeric: true }) > 0;
}

function release(version: string): { numbers: string[]; pre: string } | undefined {
	const m = /^v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?$/.exec(version.replace(/(-\d+-g[0-9a-f]+)?(-dirty)?$/, ""));
	return m ? { numbers: m.slice(1, 4), pre: m[4] ?? "" } : undefined;
}

/** Below 0: the daemon speaks an earlier major version of the protocol; 0: ours. */
function speaks(hello: Event): number {
	return typeof hello.protocol === "string" ? Number.parseInt(hello.protocol, 10) - Number.parseInt(protocol, 10) : 0;
}

/** Whether the daemon should give way to the program that would be started instead. */
export async function outdated(hello: Event, program: () => string, env: NodeJS.ProcessEnv): Promise<boolean> {
	const running = String(hello.version ?? "");
	const older = speaks(hello) < 0;
	if (hello.managed === true || (!older && !release(running))) return false;
	const own = await programVersion(program, env);
	return older ? own !== "" && own !== running && !newer(running, own) : newer(own, running);
}

const known = new Map<string, string>(); // versions, by what tells one file from another

/** The version of a pifetchd, empty when it is not known. */
async function programVersion(program: () => string, env: NodeJS.ProcessEnv): Promise<string> {
	try {
		const path = program();
		const { ino, size, mtimeMs } = statSync(path);
		const key = [path, ino, size, mtimeMs].join("\n");
		let version = known.get(key);
		if (version === undefined) {
			version = await new Promise<string>((resolve) => {
				execFile(path, ["--version"], { env, timeout: 10_000 }, (error, stdout) => resolve(error ? "" : (/^pifetchd (\S+)\n$/.exec(stdout)?.[1] ?? "")));
			});
			known.set(key, version);
		}
		return version;
	} catch {
		return ""; // there is none, and the daemon that runs is good enough
	}
}

/** Throws when the daemon speaks another major version of the protocol. */
export function checkProtocol(hello: Event | undefined): void {
	const order = hello ? speaks(hello) : 0;
	if (!hello || order === 0) return;
	const restart = hello.managed === true ? "pifetchctl service restart" : "pifetchctl stop";
	const next = order > 0 ? "upgrade the pi package" : `upgrade pifetchd, then run: ${restart}`;
	throw new Error(`pifetchd ${hello.version} (pid ${hello.pid}) speaks protocol ${hello.protocol} and the pi package ${protocol} — ${next}`);
}
