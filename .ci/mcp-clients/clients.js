// Lists and calls the tools of examples/http-agent with both official TypeScript clients: node clients.js URL
import assert from 'node:assert/strict';
import * as v2 from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const url = new URL(process.argv[2]);

async function check(name, client, transport) {
    await client.connect(transport);
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map(tool => tool.name), ['shop__quote', 'shop__print', 'shop__pay', 'tools__await']);
    const quote = await client.callTool({ name: 'shop__quote', arguments: { pages: 30 } });
    assert.deepEqual(quote.structuredContent, { pages: 30, cents: 120 });
    const wrong = await client.callTool({ name: 'shop__quote', arguments: { pages: 'many' } });
    assert.equal(wrong.isError, true);
    const print = await client.callTool({ name: 'shop__print', arguments: { pages: 30 } });
    const call = print._meta['dev.toolfleet/callId'];
    const waiting = await client.callTool({ name: 'tools__await', arguments: { call, seconds: 0 } });
    assert.match(waiting.content[0].text, /has no result yet/);
    await assert.rejects(client.callTool({ name: 'none', arguments: {} }));
    const revision = client.getNegotiatedProtocolVersion?.();
    console.log(`mcp: ${name}${revision ? ` at ${revision}` : ''} lists ${tools.length} tools, and calls them`);
    await client.close();
}

const info = { name: 'toolfleet-check', version: '1' };
await check('@modelcontextprotocol/sdk', new Client(info), new StreamableHTTPClientTransport(url));
for (const mode of ['legacy', 'auto']) {
    await check('@modelcontextprotocol/client', new v2.Client(info, { versionNegotiation: { mode } }),
            new v2.StreamableHTTPClientTransport(url));
}
