// The settings of this extension: webTools.pi in pi's global settings.json.
import { getAgentDir, SettingsManager } from "@earendil-works/pi-coding-agent";
import { message } from "./errors.ts";
import { tool } from "./text.ts";

export interface Settings {
	/** What the tool is called. */
	toolName: string;
	/** Path of the pifetchd to start; undefined: the one on PATH. */
	pifetchd: string | undefined;
	/** What is wrong with the settings, for the user. */
	warnings: string[];
}

/**
 * Reads the settings. It never throws: an extension that does keeps pi from
 * starting. Project settings do not count, because a project must not choose
 * which program is run.
 */
export function settings(): Settings {
	const s: Settings = { toolName: tool, pifetchd: undefined, warnings: [] };
	try {
		const all = SettingsManager.create(process.cwd(), getAgentDir()).getGlobalSettings() as { webTools?: { pi?: unknown } };
		const own = all.webTools?.pi;
		if (own === undefined) return s;
		if (typeof own !== "object" || own === null || Array.isArray(own)) throw new Error("webTools.pi must be an object");
		for (const [key, value] of Object.entries(own)) {
			if (key === "toolName" && typeof value === "string" && /^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(value)) s.toolName = value;
			else if (key === "toolName") s.warnings.push("webTools.pi.toolName must be a letter and up to 63 letters, digits, _ and - after it");
			else if (key === "pifetchd" && typeof value === "string") s.pifetchd = value || undefined;
			else if (key === "pifetchd") s.warnings.push("webTools.pi.pifetchd must be the path of a program");
			else s.warnings.push(`unknown key webTools.pi.${key}, known here are pifetchd, toolName`);
		}
	} catch (error) {
		s.warnings.push(message(error));
	}
	return s;
}
