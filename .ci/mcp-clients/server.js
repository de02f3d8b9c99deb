// A server of revision 2026-07-28 with the official library: node server.js, or node server.js PORT for HTTP.
import { createServer } from 'node:http';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

function make() {
    const server = new McpServer({ name: 'abacus', version: '1' }, { capabilities: { tools: {} } });
    server.registerTool('add', {
        description: 'Adds two numbers.',
        inputSchema: fromJsonSchema({
            type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'],
        }),
        outputSchema: fromJsonSchema({ type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] }),
    }, async ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }], structuredContent: { sum: a + b } }));
    return server;
}

if (process.argv[2] === undefined) {
    serveStdio(make, { legacy: 'reject' });
} else {
    const handler = createMcpHandler(make, { legacy: 'reject' });
    createServer(async (incoming, outgoing) => {
        const chunks = [];
        for await (const chunk of incoming) chunks.push(chunk);
        const response = await handler.fetch(new Request(`http://${incoming.headers.host}${incoming.url}`, {
            method: incoming.method,
            headers: incoming.headers,
            body: incoming.method === 'POST' ? Buffer.concat(chunks) : undefined,
        }));
        outgoing.writeHead(response.status, Object.fromEntries(response.headers));
        for await (const chunk of response.body ?? []) outgoing.write(chunk);
        outgoing.end();
    }).listen(Number(process.argv[2]), '127.0.0.1', () => console.log('listening'));
}
