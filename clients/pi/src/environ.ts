// Which variables of this session go where.

/** Go along with one fetch, for it alone. */
const secretKeys = ["GH_TOKEN", "GITHUB_TOKEN", "PARALLEL_API_KEY", "PARALLEL_BASE_URL"];

/** By which a program finds the screen of the caller. */
const displayKeys = ["DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "XDG_SESSION_TYPE", "DBUS_SESSION_BUS_ADDRESS"];

/**
 * What a daemon gets from the session that starts it: it serves every session
 * after that one, so no secrets are among it (docs/daemon.md, "Environment").
 */
const daemonKeys = new Set([
	...["HOME", "PATH", "USER", "LOGNAME", "SHELL", "TMPDIR", "TZ", "LANG", "LANGUAGE"],
	...["DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS"],
	...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy"],
	...["SSL_CERT_FILE", "SSL_CERT_DIR", "GH_CONFIG_DIR"],
]);
const daemonPrefixes = ["LC_", "XDG_"];

export type Variables = Record<string, string>;

export const secrets = (env: NodeJS.ProcessEnv): Variables => pick(env, (name) => secretKeys.includes(name));

export const display = (env: NodeJS.ProcessEnv): Variables => pick(env, (name) => displayKeys.includes(name));

export function daemonEnviron(env: NodeJS.ProcessEnv, agentDir: string): Variables {
	const passed = pick(env, (name) => daemonKeys.has(name) || daemonPrefixes.some((p) => name.startsWith(p)));
	return { ...passed, PI_CODING_AGENT_DIR: agentDir };
}

function pick(env: NodeJS.ProcessEnv, wanted: (name: string) => boolean): Variables {
	const picked: Variables = {};
	for (const [name, value] of Object.entries(env)) {
		if (value && wanted(name)) picked[name] = value;
	}
	return picked;
}
