// What the extension imports of pi, without the rest of it.
export const VERSION = "1.6.0";
export const getAgentDir = () => process.env.PI_CODING_AGENT_DIR;
export const SettingsManager = { create: () => ({ getGlobalSettings: () => ({}) }) };
