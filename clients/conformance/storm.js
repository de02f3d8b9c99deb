// A retry storm, run by fleet.js: node storm.js PROGRAM...
//
// All clients of all PROGRAMs make the same calls by the same idempotency keys, half of them at each of two gateways. Many
// answers are lost, so that requests are sent again; a worker and a gateway are killed. Each PROGRAM gets the variables
// CALLS and CLIENTS beside those of fleet.js, and prints a line of JSON for each result: client, key, status, and code
// or output. The effects are counted in the files that the tool has left.
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const INSTANCES = 12;
const WORDS = 8;
const CLIENTS = 4;
const LOST = 150;
const PAUSE = 250;

const programs = process.argv.slice(2);
const { CONTROL_URL, RUN, WORKSPACE } = process.env;
const calls = Array.from({ length: INSTANCES * WORDS }, (_, i) => {
    const word = `${RUN}-${i}`;
    return { instance: `${RUN}/${i % INSTANCES}`, key: `key ${word}`, args: { word, pause: PAUSE } };
});

async function control(path, body = {}) {
    return (await fetch(CONTROL_URL + path, { method: 'POST', body: JSON.stringify(body) })).json();
}

/** How often each word was written. */
function effects() {
    const counts = new Map();
    for (const name of readdirSync(WORKSPACE, { recursive: true }).filter(each => each.endsWith('stamped'))) {
        for (const word of readFileSync(join(WORKSPACE, name), 'utf8').split('\n').filter(each => each.startsWith(`${RUN}-`)))
            counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    return counts;
}

// Kills processes once a part of the calls has had its effect, and the rest has not.
async function crash(process, part) {
    while (effects().size < calls.length * part) {
        if (over) throw new Error(`the programs have ended, and only ${effects().size} calls had an effect`);
        await new Promise(resolve => setTimeout(resolve, 20));
    }
    await control('/crash', { processes: [process] });
    const done = effects().size;
    if (done === calls.length) throw new Error(`${process} was killed too late: all calls had run`);
    return done;
}

const results = [];
let over = false;

async function program(command) {
    const child = spawn('sh', ['-c', command], {
        stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, CALLS: JSON.stringify(calls), CLIENTS: String(CLIENTS) },
    });
    const status = new Promise(resolve => child.once('exit', resolve));
    for await (const line of createInterface({ input: child.stdout })) results.push(JSON.parse(line));
    if (await status !== 0) throw new Error(`${command} ended with ${await status}`);
}

function fail(text) {
    console.error(`storm: ${text}`);
    process.exitCode = 1;
}

const before = (await control('/left')).crashes;
await control('/faults', { lose: LOST });
const ended = Promise.all(programs.map(program)).finally(() => {
    over = true;
});
const [worker, gateway] = await Promise.all([crash('worker', 0.25), crash('gateway-2', 0.6), ended]);
const left = await control('/left');
if (left.lose !== 0 || left.crashes !== before + 2) fail(`not all faults have happened: ${JSON.stringify(left)}`);

const counts = effects();
let unknown = 0;
for (const { key, args: { word } } of calls) {
    const of = results.filter(each => each.key === key);
    if (of.length !== programs.length * CLIENTS) fail(`'${key}' has ${of.length} results of ${programs.length * CLIENTS}`);
    const kinds = new Set(of.map(({ status, code, output }) => JSON.stringify({ status, code: code ?? null, output: output ?? null })));
    if (kinds.size !== 1) fail(`'${key}' has results that differ: ${[...kinds].join(' ')}`);
    const ran = counts.get(word) ?? 0;
    const [{ status, code }] = of;
    if (ran > 1 || (status === 'ok' && ran !== 1)) fail(`'${key}' ended with ${status} and ran ${ran} times`);
    if (status !== 'ok' && code !== 'E_TOOL_OUTCOME_UNKNOWN') fail(`'${key}' ended with ${code}`);
    if (status !== 'ok') unknown++;
}
if (process.exitCode !== 1) {
    console.log(`storm: ${calls.length} keys, ${programs.length * CLIENTS} clients, ${LOST} lost answers, a worker killed after ${worker} effects and a `
        + `gateway after ${gateway}: ${calls.length - unknown} calls ran once, ${unknown} ended as unknown, none ran twice`);
}
