// Kills a worker and a gateway with SIGKILL while they have tasks, and sees the tasks through with the official client of
// tasks (ext-tasks), once for each generation: node kill.js TOOLFLEET BUNDLE FOLDER
//
// One task is at work when its worker dies, one waits for a person. Both end with their results: the first was begun
// again, the second ran once.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createTaskSessionFromClient, DispatchError, resultFromTaskOutcome } from '@modelcontextprotocol/ext-tasks/client';

const [toolfleet, bundle, folder] = process.argv.slice(2);
const running = new Map();

function freePort() {
    return new Promise(resolve => {
        const server = createServer().listen(0, '127.0.0.1', () => {
            const { port } = server.address();
            server.close(() => resolve(port));
        });
    });
}

// Processes have groups of their own: the launcher of a worker and its Java end together.
function start(name, ...args) {
    const log = openSync(join(folder, `${name}.log`), 'a');
    running.set(name, spawn(toolfleet, args, { detached: true, stdio: ['ignore', log, log] }));
}

function kill(name, signal) {
    const child = running.get(name);
    running.delete(name);
    const gone = child.exitCode === null ? new Promise(resolve => child.once('exit', resolve)) : Promise.resolve();
    try {
        process.kill(-child.pid, signal);
    } catch (e) {
        if (e.code !== 'ESRCH') throw e;
    }
    return gone;
}

async function ready(url, name) {
    for (const end = Date.now() + 180_000; Date.now() < end; await pause(200)) {
        try {
            if ((await fetch(url)).ok) return;
        } catch {
            // Not yet.
        }
        if (running.get(name).exitCode !== null) break;
    }
    throw new Error(`${name} is not ready:\n${readFileSync(join(folder, `${name}.log`), 'utf8')}`);
}

function run(...args) {
    const done = spawnSync(toolfleet, args, { encoding: 'utf8' });
    if (done.status !== 0) throw new Error(`${args[0]} failed:\n${done.stdout}${done.stderr}`);
}

const [kafka, catalogPort, workerPort, gatewayPort, internalPort] =
        await Promise.all([1, 2, 3, 4, 5].map(freePort));
const broker = `127.0.0.1:${kafka}`;
const gateway = `http://127.0.0.1:${gatewayPort}`;

function startWorker() {
    start('worker', 'worker', '--bootstrap', broker, '--bundle', `@check/tasks=${bundle}`,
            '--set', `worker.http.port=${workerPort}`, '--set', `worker.completion.stateDir=${join(folder, 'worker')}`,
            '--set', `worker.workspace.root=${join(folder, 'workspace')}`);
    return ready(`http://127.0.0.1:${workerPort}/health/ready`, 'worker');
}

function startGateway() {
    start('gateway', 'gateway', '--bootstrap', broker, '--set', `gateway.http.port=${gatewayPort}`,
            '--set', `gateway.internal.port=${internalPort}`, '--set', `gateway.stateDir=${join(folder, 'gateway')}`,
            '--set', 'gateway.internal.token=a-token-of-gateways-that-stays', '--set', 'gateway.mcp.taskAfter=1s');
    return ready(`${gateway}/health/ready`, 'gateway');
}

// Requests of tasks of 2026-07-28, which the official client does not make itself.
const framing = {
    protocolVersion: '2026-07-28',
    clientInfo: { name: 'toolfleet-check', version: '1' },
    clientCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } },
};
let requests = 0;

function rawDispatch(url) {
    return async (request, options) => {
        const name = request.params?.name ?? request.params?.taskId;
        let text;
        try {
            const response = await fetch(url, {
                method: 'POST',
                signal: options?.signal,
                headers: {
                    'Content-Type': 'application/json',
                    Accept: 'application/json, text/event-stream',
                    'MCP-Protocol-Version': framing.protocolVersion,
                    'Mcp-Method': request.method,
                    ...(name ? { 'Mcp-Name': name } : {}),
                    ...options?.context?.headers,
                },
                body: JSON.stringify({ jsonrpc: '2.0', id: ++requests, ...request }),
            });
            text = await response.text();
        } catch (e) {
            throw new DispatchError(String(e), true, { cause: e });
        }
        const messages = text.startsWith('{')
            ? [JSON.parse(text)]
            : text.split('\n').filter(line => line.startsWith('data:')).map(line => JSON.parse(line.slice(5)));
        const answer = messages.find(message => message.id === requests || 'result' in message || 'error' in message);
        return 'error' in answer ? { kind: 'error', error: answer.error } : { kind: 'result', result: answer.result };
    };
}

async function open(url, generation) {
    const client = new Client(framing.clientInfo, { versionNegotiation: { mode: generation === 'v1' ? 'legacy' : 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(url));
    return createTaskSessionFromClient(client, {
        endpointId: `check-${generation}`,
        ...(generation === 'v2' ? { rawDispatch: rawDispatch(url), v2RequestFraming: framing } : {}),
    });
}

async function approve(call) {
    let known;
    for (const end = Date.now() + 60_000; Date.now() < end; await pause(200)) {
        known = await (await fetch(`${gateway}/v1/calls/${call}`)).json();
        const handle = known.waitsFor?.handle;
        if (!handle) continue;
        const decided = await fetch(`${gateway}/v1/handles/${handle}/decision`, {
            method: 'POST', headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify({ decision: 'approve', by: 'ann' }),
        });
        assert.equal(decided.status, 202, await decided.text());
        return;
    }
    throw new Error(`call ${call} does not wait for a person: ${JSON.stringify(known)}`);
}

// The client keeps what it knows of its tasks, and goes on with it in another session.
async function check(generation) {
    const url = new URL(`${gateway}/mcp/instances/${generation}/agents/miller`);
    const first = await open(url, generation);
    const references = [];
    for (const tool of ['mill__stamp', 'mill__grind']) {
        const execution = await first.callTool(tool, {}, { task: { preference: 'prefer' } });
        assert.equal(execution.kind, 'task', `${tool} is no task`);
        await execution.handoff(reference => { references.push(reference); });
    }
    await pause(2_000);
    await Promise.all([kill('worker', 'SIGKILL'), kill('gateway', 'SIGKILL')]);
    await Promise.all([startWorker(), startGateway()]);
    const second = await open(url, generation);
    const [stamping, grinding] = await Promise.all(references.map(reference => second.resumeTask(reference)));
    await approve(references[0].taskId);
    const [ground, stamped] = (await Promise.all([grinding.settle(), stamping.settle()]))
            .map(({ outcome }) => resultFromTaskOutcome(outcome).structuredContent);
    assert.deepEqual(ground, { begun: 2 });
    assert.deepEqual(stamped, { ran: 1 });
    await second.close();
    console.log(`mcp: @modelcontextprotocol/ext-tasks, ${generation}: a task at work and one that waits for a person outlive a killed worker and gateway`);
}

try {
    start('broker', 'broker', '--data', join(folder, 'kafka'), '--port', String(kafka));
    for (const end = Date.now() + 120_000; ; await pause(500)) {
        const made = spawnSync(toolfleet, ['topics', 'create', '--bootstrap', broker, '--partitions', '3', '--replication', '1'], { encoding: 'utf8' });
        if (made.status === 0) break;
        if (Date.now() > end) throw new Error(made.stderr);
    }
    start('catalog', 'catalog', '--bootstrap', broker, '--set', `catalog.http.port=${catalogPort}`,
            '--set', `catalog.stateDir=${join(folder, 'catalog')}`);
    run('apply', '--bootstrap', broker, bundle);
    await Promise.all([ready(`http://127.0.0.1:${catalogPort}/health/ready`, 'catalog'), startWorker(), startGateway()]);
    for (const generation of ['v1', 'v2']) {
        await check(generation);
    }
} finally {
    await Promise.all([...running.keys()].map(name => kill(name, 'SIGTERM')));
}
