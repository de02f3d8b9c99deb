// Runs the conformance script of the clients against a fleet of processes of this repository:
// node fleet.js TOOLFLEET BUNDLE FOLDER COMMAND...
//
// Each COMMAND is a runner, started by the shell with these variables:
//   TOOLFLEET_URL   a proxy before the first gateway, which loses answers, refuses requests and cuts streams
//   TOOLFLEET_URLS  such a proxy before each of the two gateways, with a comma between
//   CONTROL_URL     where a runner orders such faults, and crashes of processes
//   WORKSPACE       the folder in which tools leave their effects
//   RUN             a name for the instances of this run
import { spawn, spawnSync } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import { connect, createServer as listen } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const [toolfleet, bundle, folder, ...commands] = process.argv.slice(2);
const running = new Map();
let stopping = false;

function freePort() {
    return new Promise(resolve => {
        const server = listen().listen(0, '127.0.0.1', () => {
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

async function open(port) {
    for (const end = Date.now() + 180_000; Date.now() < end; await pause(200)) {
        const socket = connect(port, '127.0.0.1');
        const is = await new Promise(resolve => socket.once('connect', () => resolve(true)).once('error', () => resolve(false)));
        socket.destroy();
        if (is) return;
    }
    throw new Error(`nothing listens on port ${port}`);
}

async function ready(port, name) {
    for (const end = Date.now() + 180_000; Date.now() < end; await pause(200)) {
        try {
            if ((await fetch(`http://127.0.0.1:${port}/health/ready`)).ok) return;
        } catch {
            // Not yet.
        }
        if (running.get(name).exitCode !== null) break;
    }
    throw new Error(`${name} is not ready:\n${readFileSync(join(folder, `${name}.log`), 'utf8')}`);
}

const [kafka, catalog, session, worker, ...gateways] = await Promise.all(Array.from({ length: 8 }, freePort));
const broker = `127.0.0.1:${kafka}`;
const workspace = join(folder, 'workspace');

// Gateways of one group: each answers for the calls of the other, and goes on for it when it is killed.
function gateway(name, port, internal) {
    return {
        port, command: 'gateway',
        args: ['--set', `gateway.http.port=${port}`, '--set', `gateway.internal.port=${internal}`, '--set', `gateway.stateDir=${join(folder, name)}`,
            '--set', 'gateway.internal.token=a-token-of-gateways-that-stays', '--set', `gateway.session.url=http://127.0.0.1:${session}`],
    };
}

const fleet = {
    catalog: { port: catalog, args: ['--set', `catalog.http.port=${catalog}`, '--set', `catalog.stateDir=${join(folder, 'catalog')}`] },
    session: {
        port: session, command: 'session-service',
        args: ['--set', `session.http.port=${session}`, '--set', `session.stateDir=${join(folder, 'session')}`, '--set', 'session.messageWait=1s'],
    },
    worker: {
        port: worker,
        args: ['--bundle', `@check/clients=${bundle}`, '--set', `worker.http.port=${worker}`, '--set', `worker.completion.stateDir=${join(folder, 'worker')}`,
            '--set', `worker.workspace.root=${workspace}`],
    },
    gateway: gateway('gateway', gateways[0], gateways[1]),
    'gateway-2': gateway('gateway-2', gateways[2], gateways[3]),
};

async function run(name) {
    const { command = name, args, port } = fleet[name];
    start(name, command, '--bootstrap', broker, ...args);
    await ready(port, name);
}

// What a runner has ordered and has not happened yet.
const left = { lose: 0, refuse: [], cut: 0, crashes: 0 };

function refuse(answer) {
    const status = left.refuse.shift();
    const type = status === 429 ? 'too-many-requests' : 'not-ready';
    answer.writeHead(status, { 'Content-Type': 'application/problem+json', 'Retry-After': '1' });
    answer.end(JSON.stringify({ type: `urn:toolfleet:problem:${type}`, title: 'Ordered', status, detail: 'A runner ordered this.', instance: '/' }));
}

// Passes a stream on up to its first event.
function cut(from, answer) {
    left.cut--;
    let text = '';
    from.setEncoding('utf8');
    from.on('data', part => {
        text += part;
        const end = text.indexOf('\n\n');
        if (end < 0) return;
        from.removeAllListeners('data');
        answer.write(text.slice(0, end + 2), () => {
            answer.destroy();
            from.destroy();
        });
    });
}

const proxyTo = port => createServer((asked, answer) => {
    if (left.refuse.length > 0) {
        asked.resume();
        refuse(answer);
        return;
    }
    const onward = forward({ port, host: '127.0.0.1', method: asked.method, path: asked.url, headers: { ...asked.headers, host: `127.0.0.1:${port}` } }, from => {
        from.on('error', () => answer.destroy());
        if (left.lose > 0) {
            left.lose--;
            from.resume();
            from.on('end', () => answer.destroy());
            return;
        }
        answer.writeHead(from.statusCode, from.headers);
        if (left.cut > 0 && from.headers['content-type']?.startsWith('text/event-stream')) {
            cut(from, answer);
            return;
        }
        from.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    answer.on('close', () => onward.destroy());
    asked.pipe(onward);
});

const proxies = [proxyTo(fleet.gateway.port), proxyTo(fleet['gateway-2'].port)];

// Processes that were killed start again by themselves; the runner goes on at once.
async function crash(names) {
    await Promise.all(names.map(name => kill(name, 'SIGKILL')));
    left.crashes += names.length;
    names.forEach(name => run(name).catch(e => {
        if (stopping) return;
        console.error(String(e));
        process.exitCode = 1;
    }));
}

const control = createServer(async (asked, answer) => {
    let text = '';
    for await (const part of asked) text += part;
    const order = text === '' ? {} : JSON.parse(text);
    if (asked.url === '/faults') Object.assign(left, order);
    else if (asked.url === '/crash') await crash(order.processes);
    else if (asked.url !== '/left') answer.statusCode = 404;
    answer.setHeader('Content-Type', 'application/json');
    answer.end(JSON.stringify(left));
});

function address(server) {
    return new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${server.address().port}`)));
}

function stop() {
    stopping = true;
    return Promise.all([...running.keys()].map(name => kill(name, 'SIGTERM')));
}

for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, async () => {
        await stop();
        process.exit(1);
    });
}

try {
    start('broker', 'broker', '--data', join(folder, 'kafka'), '--port', String(kafka));
    await open(kafka);
    for (const end = Date.now() + 180_000; ; await pause(500)) {
        const made = spawnSync(toolfleet, ['topics', 'create', '--bootstrap', broker, '--partitions', '3', '--replication', '1'], { encoding: 'utf8' });
        if (made.status === 0) break;
        if (Date.now() > end) throw new Error(made.stderr);
    }
    await Promise.all(['catalog', 'session', 'gateway', 'gateway-2'].map(run));
    const applied = spawnSync(toolfleet, ['apply', '--bootstrap', broker, bundle], { encoding: 'utf8' });
    if (applied.status !== 0) throw new Error(`apply failed:\n${applied.stdout}${applied.stderr}`);
    await run('worker');
    const urls = await Promise.all(proxies.map(address));
    const env = { ...process.env, TOOLFLEET_URL: urls[0], TOOLFLEET_URLS: urls.join(','), CONTROL_URL: await address(control), WORKSPACE: workspace };
    for (const [number, command] of commands.entries()) {
        Object.assign(left, { lose: 0, refuse: [], cut: 0, crashes: 0 });
        await Promise.all(Object.entries(fleet).map(([name, { port }]) => ready(port, name)));
        const runner = spawn('sh', ['-c', command], { stdio: 'inherit', env: { ...env, RUN: `run-${number}` } });
        const status = await new Promise(resolve => runner.once('exit', resolve));
        if (status !== 0) {
            process.exitCode = 1;
            break;
        }
    }
} finally {
    control.close();
    for (const proxy of proxies) {
        proxy.close();
        proxy.closeAllConnections();
    }
    await stop();
}
