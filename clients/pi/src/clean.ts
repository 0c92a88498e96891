// Text that is fit for a terminal, and URLs as the daemon compares them.

// Escape sequences whole (CSI, control strings, two characters), then what is left of control, bidi and invisible characters.
const sequences = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|(?:\u001b[PX\]^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c\r\n]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]?/g;
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;

/** The text as one line without anything that moves a cursor, reorders or hides text. */
export function line(text: string): string {
	return text.replace(sequences, "").replace(/\s/g, " ").replace(hidden, "").replace(/ +/g, " ").trim();
}

/** Several lines, each as {@link line} leaves it, indented as they were by spaces. */
export function lines(text: string): string[] {
	return text.split(/\r\n|[\n\r\u2028\u2029]/).map((l) => (/^ */.exec(l)?.[0] ?? "") + line(l));
}

/** Cut to at most n characters, the last of them … when something was cut. */
export function cap(text: string, n: number): string {
	const characters = Array.from(text);
	return characters.length <= n ? text : `${characters.slice(0, n - 1).join("")}…`;
}

/** A size in steps of 1024: 843B, 25.9KB, 3.0MB. */
export function bytes(n: number): string {
	if (n < 1024) return `${n}B`;
	const kilo = n / 1024;
	return kilo < 1023.95 ? `${kilo.toFixed(1)}KB` : `${(kilo / 1024).toFixed(1)}MB`;
}

/** The identity of a URL within one call: equal keys are one document. */
export function key(url: string): string {
	return URL.canParse(url) ? new URL(url).href : url.trim();
}

/** Each URL once, at its first place. */
export function unique(urls: readonly string[]): string[] {
	const seen = new Set<string>();
	return urls.filter((url) => !seen.has(key(url)) && seen.add(key(url)));
}

// All in front of an authority: the schemes that browsers know have any number of slashes there.
const userinfo = /^((?:(?:https?|wss?|ftp):[/\\]*|(?:[a-z][a-z0-9+.-]*:)?[/\\]{2,}))[^/\\?#]*@/i;

/** The URL, or what was meant as one, without user name and password; as it was written when it has none. */
export function redact(url: string): string {
	if (URL.canParse(url)) {
		const u = new URL(url);
		if (!u.username && !u.password) return url;
		u.username = u.password = "";
		return u.href;
	}
	const read = url.trim().replace(/[\t\r\n]/g, ""); // as browsers do first
	return userinfo.test(read) ? read.replace(userinfo, "$1") : url;
}
