// Drives an MCP server with the official client: the arguments are its command
// line, each line of stdin is an order, each line of stdout says what came of one.
//
//   {"list":true}                       -> {"tools":[…]}
//   {"id":1,"call":TOOL,"args":{…}}     -> {"id":1,"progress":TEXT}* then {"id":1,"result":{…}} or {"id":1,"thrown":TEXT}
//   {"abort":1}                         cancels that call
import { createInterface } from "node:readline";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [command, ...args] = process.argv.slice(1);
const client = new Client({ name: "official", version: "1" });
const say = (line) => console.log(JSON.stringify(line));
client.onerror = (e) => {
  // Such as a line that is not the protocol's. What comes for a call after its
  // end is to be ignored, says the protocol.
  if (!/for an unknown (message ID|token)/.test(e)) say({ thrown: String(e) });
};
await client.connect(new StdioClientTransport({ command, args, env: process.env, stderr: "inherit" }));

const running = new Map();
for await (const line of createInterface({ input: process.stdin })) {
  const { id, list, call, args, abort } = JSON.parse(line);
  if (list) say(await client.listTools());
  if (abort) running.get(abort).abort("no longer needed");
  if (call) {
    const controller = new AbortController();
    running.set(id, controller);
    client
      .callTool({ name: call, arguments: args }, undefined, {
        signal: controller.signal, timeout: 600_000,
        onprogress: (p) => say({ id, progress: p.message }),
      })
      .then((result) => say({ id, result }), (e) => say({ id, thrown: String(e) }));
  }
}
await client.close();
