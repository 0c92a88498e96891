// Calls one function of the pi package and prints what came of it as JSON.
// Usage: node drive.mjs FOLDER '{"module": "…", "function": "…", "args": […], "abortAt": "STAGE"}'
// "$theme" among the args becomes a theme that names its colours. With abortAt, given or null, the function gets options as its last argument.
const [folder, request] = process.argv.slice(2);
const { module, function: name, args, abortAt } = JSON.parse(request);
const theme = { fg: (colour, text) => `<${colour}>${text}`, bold: (text) => text };
args.forEach((arg, i) => arg === "$theme" && (args[i] = theme));
const statuses = [];
if (abortAt !== undefined) {
	const controller = new AbortController();
	const onStatus = (status) => {
		statuses.push(status.stage);
		if (status.stage === abortAt) controller.abort();
	};
	args.push({ signal: controller.signal, onStatus });
}
const print = (o) => console.log(JSON.stringify({ ...o, statuses }));
try {
	print({ result: await (await import(`${folder}/${module}.ts`))[name](...args) });
} catch (error) {
	print({ error: error.message, class: error.constructor.name, code: error.code });
}
