// A whole fleet for the browser tests: one that `toolfleet dev` starts, and a second gateway that a test kills.
import { spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export function freePort() {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

const running = new Map();

function start(command, log, args) {
  const out = openSync(log, 'a');
  const child = spawn(command, args, { detached: true, stdio: ['ignore', out, out] });
  running.set(child.pid, child);
  return child;
}

export async function kill(child, signal = 'SIGTERM') {
  const gone = child.exitCode === null && child.signalCode === null ? new Promise(resolve => child.once('exit', resolve)) : null;
  try {
    process.kill(-child.pid, signal);
  } catch (e) {
    if (e.code !== 'ESRCH') throw e;
  }
  running.delete(child.pid);
  await gone;
}

export async function killAll() {
  await Promise.all([...running.values()].map(child => kill(child)));
}

async function until(what, child, log, patience, look) {
  for (const end = Date.now() + patience; Date.now() < end; await pause(200)) {
    const found = await look();
    if (found) return found;
    if (child.exitCode !== null) break;
  }
  throw new Error(`${what} did not come:\n${readFileSync(log, 'utf8').slice(-4000)}`);
}

/// Starts a fleet with the bundle; returns its process, and the addresses of its gateway and its broker.
export async function startFleet(toolfleet, bundle, folder) {
  const log = join(folder, 'fleet.log');
  const port = await freePort();
  const child = start(toolfleet, log, ['dev', '--port', String(port), '--bundle', bundle]);
  const gateway = await until('the fleet', child, log, 240_000, () => {
    const text = readFileSync(log, 'utf8');
    return text.includes('Try, in another terminal') && /gateway +(http:\S+)/.exec(text)?.[1];
  });
  return { child, gateway, broker: `127.0.0.1:${port}`, log };
}

/// Starts a gateway of the same fleet.
export async function startGateway(toolfleet, broker, port, internal, folder, ...more) {
  const log = join(folder, `gateway-${port}.log`);
  const child = start(toolfleet, log, ['gateway', '--bootstrap', broker, '--set', `gateway.http.port=${port}`,
    '--set', `gateway.internal.port=${internal}`, '--set', `gateway.stateDir=${join(folder, `state-${port}`)}`, ...more]);
  await until('the gateway', child, log, 120_000, async () => {
    try {
      return (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok;
    } catch {
      return false;
    }
  });
  return child;
}

/// Client of a gateway's API.
export class Caller {
  constructor(gateway) {
    this.gateway = gateway;
  }

  async send(path, body, headers = {}) {
    const response = await fetch(this.gateway + path, {
      method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response;
  }

  async step(instance, step, agent = 'clerk') {
    await this.send(`/v1/instances/${instance}/agents/${agent}/steps`, { turnId: 't1', stepId: step });
  }

  /// Calls a tool; returns the call's id. Without a wait it does not wait for the result.
  async call(instance, step, id, name, args, wait = 0, agent = 'clerk') {
    const response = await this.send(`/v1/instances/${instance}/agents/${agent}/calls`,
      { id, turnId: 't1', stepId: step, name, args }, { Prefer: wait ? `wait=${wait}` : 'respond-async' });
    return response.headers.get('Toolfleet-Call-Id');
  }

  async get(path) {
    const response = await fetch(this.gateway + path);
    return response.json();
  }

  /// Makes calls of some instances, at most some at a time.
  async seed(count, instances, atOnce = 48) {
    for (let i = 0; i < instances; i++) await this.step(`instance-${i}`, 's1');
    let next = 0;
    const one = async () => {
      for (let i = next++; i < count; i = next++) {
        const name = i % 40 === 7 ? 'desk__fail' : 'desk__echo';
        await this.call(`instance-${i % instances}`, 's1', `seed-${i}`, name, name === 'desk__echo' ? { text: `line ${i}` } : {});
      }
    };
    await Promise.all(Array.from({ length: atOnce }, one));
    for (const end = Date.now() + 300_000; Date.now() < end; await pause(500)) {
      const open = await this.get('/v1/calls?stage=open&limit=1');
      if (open.calls.length === 0) return;
    }
    throw new Error('seeded calls have not ended in time');
  }
}
