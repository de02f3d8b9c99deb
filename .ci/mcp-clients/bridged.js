// Calls tools of servers of revision 2026-07-28 through a fleet, with the official client: node bridged.js URL
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const wanted = ['pipe__add', 'web__add'];
const client = new Client({ name: 'toolfleet-check', version: '1' }, { versionNegotiation: { mode: 'auto' } });
await client.connect(new StreamableHTTPClientTransport(new URL(process.argv[2])));
// Nothing waits for a server: the list has its tools once it has started.
let names = [];
for (const end = Date.now() + 90_000; Date.now() < end && !wanted.every(name => names.includes(name)); await pause(500))
    names = (await client.listTools()).tools.map(tool => tool.name);
for (const name of wanted) {
    assert.ok(names.includes(name), `${name} is not among ${names}`);
    assert.deepEqual((await client.callTool({ name, arguments: { a: 20, b: 22 } })).structuredContent, { sum: 42 });
}
console.log('mcp: @modelcontextprotocol/server at 2026-07-28 is called through the bridge, over stdio and HTTP');
await client.close();
