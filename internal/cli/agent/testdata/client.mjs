// A client made of @modelcontextprotocol/sdk: lists the tools, calls one rightly, one
// wrongly, one that is not there, and prints what it got as one line of JSON.
//
//   node client.mjs SDK stdio PROGRAM HOME
//   node client.mjs SDK http URL TOKEN
const [sdk, kind, to, more] = process.argv.slice(2);
const { Client } = await import(`${sdk}/client/index.js`);
let transport;
if (kind === "stdio") {
  const { StdioClientTransport } = await import(`${sdk}/client/stdio.js`);
  transport = new StdioClientTransport({ command: to, args: ["serve"], env: { HOME: more, PATH: process.env.PATH } });
} else {
  const { StreamableHTTPClientTransport } = await import(`${sdk}/client/streamableHttp.js`);
  transport = new StreamableHTTPClientTransport(new URL(to), { requestInit: { headers: { Authorization: `Bearer ${more}` } } });
}
const client = new Client({ name: "test", version: "1" }, { capabilities: {} });
await client.connect(transport);
const list = await client.listTools();
const good = await client.callTool({ name: "tmp_check", arguments: { line: "rm -rf /" } });
const bad = await client.callTool({ name: "tmp_check", arguments: {} });
let wrong = 0;
try {
  await client.callTool({ name: "no_such", arguments: {} });
} catch (e) {
  wrong = e.code;
}
await client.close();
console.log(JSON.stringify({
  server: client.getServerVersion().name,
  tools: list.tools.map((t) => t.name),
  text: good.content[0].text,
  same: JSON.stringify(JSON.parse(good.content[0].text)) === JSON.stringify(good.structuredContent),
  code: bad.structuredContent.error.code,
  wrong,
}));
