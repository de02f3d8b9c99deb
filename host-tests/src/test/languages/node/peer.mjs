// The worker's side of the host protocol, for tests.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const HOST = fileURLToPath(new URL('../../../../../hosts/src/main/resources/dev/toolfleet/hosts/host.mjs', import.meta.url));
const BUNDLE = fileURLToPath(new URL('./bundle', import.meta.url));
const MOST_RECORDED = 10_000;

/** Writes a line of a conversation into its file, if conversations are recorded. */
function record(pid, arrow, line) {
  if (process.env.HOST_RECORDING && line.length < MOST_RECORDED)
    appendFileSync(`${process.env.HOST_RECORDING}-${pid}`, `${arrow} ${line}\n`);
}

export const CONTEXT = {
  agentName: 'clerk', instanceKey: 'office/1', turnId: 'turn', stepId: 'step', traceId: 'trace', toolCallId: 'call-1',
  caller: { userId: 'ada' },
  message: { id: 'm', data: { role: 'assistant' }, metadata: {}, createdAt: '2026-11-27T10:00:00.000Z',
    source: { type: 'assistant', stepId: 'step' } },
  workdir: '/tmp', deadline: '2026-11-27T10:00:30.000Z', timeoutMs: 30000, attempt: 2, idempotencyKey: 'key',
  fencingToken: 17, runtime: true,
};

/** Answers of services: those of a fleet in miniature. */
function serve({ name, params }) {
  if (params.target === 'nobody')
    return { error: { code: -32000, message: 'no such agent', data: { name: 'AgentError', code: 'E_AGENT', suggestion: 'ask ada' } } };
  return { result: {
    'runtime.request': { eventId: 'e', target: params.target, response: params.event?.input, correlationId: `c${params.timeoutMs}` },
    'runtime.send': { eventId: 'e', target: params.target, accepted: true },
    'runtime.spawn': { target: params.target, instanceKey: 'i', spawned: true, cwd: params.cwd },
    'runtime.list': { agents: params.includeAll ? [{ target: 'coder', instanceKey: 'i' }] : [] },
    'runtime.catalog': { selfAgent: 'clerk', availableAgents: ['clerk'], callableAgents: [] },
  }[name] };
}

export class Peer {
  #ids = 0;
  #waiting = new Map();
  notes = [];
  stderr = '';

  constructor() {
    this.child = spawn('sh', ['-c', 'exec 3<&0 4>&1 0</dev/null 1>&2; exec "$@"', 'sh', process.execPath, HOST],
      { env: { ...process.env, TOOLFLEET_HOST_ROOT: BUNDLE }, stdio: ['pipe', 'pipe', 'pipe'] });
    this.child.stderr.on('data', (text) => { this.stderr += text; });
    this.child.stdin.on('error', () => {});
    this.ended = new Promise((resolve) => this.child.on('close', (code, signal) => {
      for (const { reject } of this.#waiting.values())
        reject(new Error(`the host has ended with ${code ?? signal}`));
      resolve(code ?? signal);
    }));
    createInterface({ input: this.child.stdout }).on('line', (line) => this.#take(line));
  }

  static async loaded(file = 'all.mjs') {
    const peer = new Peer();
    await peer.send('hello', { protocol: 1, worker: '0.9.0', limits: { messageBytes: 4194304, inFlight: 64 } });
    await peer.load(file);
    return peer;
  }

  #take(line) {
    record(this.child.pid, '←', line);
    const message = JSON.parse(line);
    if (message.method === 'service') {
      this.write({ jsonrpc: '2.0', id: message.id, ...serve(message.params) });
    } else if (message.method !== undefined) {
      this.notes.push(message);
    } else {
      const { resolve } = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      resolve(message.error ?? message.result);
    }
  }

  write(message) {
    const line = JSON.stringify(message);
    record(this.child.pid, '→', line);
    this.child.stdin.write(`${line}\n`);
  }

  notify(method, params) {
    this.write({ jsonrpc: '2.0', method, params });
  }

  /** Sends a request; the promise of its answer has its id. */
  send(method, params) {
    const id = ++this.#ids;
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.write({ jsonrpc: '2.0', id, method, params });
    return Object.assign(answer, { id });
  }

  load(file, config = {}) {
    return this.send('load', { tool: file, file: `${BUNDLE}/${file}`, config, exports: ['a'] });
  }

  invoke(name, input = {}, { tool = 'all.mjs', ...context } = {}) {
    return this.send('invoke', { tool, export: name, context: { ...CONTEXT, ...context }, input });
  }

  async close() {
    this.child.stdin.end();
    return this.ended;
  }
}
