// Host of handlers in JavaScript and TypeScript: speaks the host protocol, version 1 (docs/host-protocol.md), on the
// descriptors 3 (in) and 4 (out). Node 20 or later, no dependencies.
import { Console } from 'node:console';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { Socket } from 'node:net';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { fileURLToPath, pathToFileURL } from 'node:url';

const PROTOCOL = 1;
const MOST_IN_FLIGHT = 1024;
const MOST_LOG_CHARACTERS = 8192;
const MOST_ERROR_CHARACTERS = 65536;
const MOST_NESTING = 400;
/** Above this many unwritten bytes the host reads no more and drops logs and progress. */
const MOST_UNWRITTEN_BYTES = 16 * 1024 * 1024;

const BAD_REQUEST = -32602;
const UNKNOWN_METHOD = -32601;
const HANDLER_FAILED = -32000;
const LOAD_FAILED = -32001;
const EXIT_BROKEN = 70;

const HANDLE = /\S/;
const limits = { messageBytes: 4 * 1024 * 1024, inFlight: 64 };
/** Loaded Tools by name: `{handlers, owner, functions, config}`. */
const tools = new Map();
/** Calls at work by the id of their request. */
const calls = new Map();
/** Requests of this host that wait for an answer, by id. */
const requests = new Map();
let requestCount = 0;
let draining = false;

// ---------------------------------------------------------------------------------------------------------- output

/** Writes whole lines to descriptor 4, in order: all lines of one turn of the event loop by one write. */
class Output {
  #lines = [];
  #bytes = 0;
  #scheduled = false;
  #dropped = 0;

  constructor(stream) {
    this.stream = stream;
    stream.on('error', () => process.exit(0));
    stream.on('drain', () => this.#resume());
  }

  /** True if so much is unwritten that logs and progress are dropped. */
  get full() {
    return this.#bytes + this.stream.writableLength > MOST_UNWRITTEN_BYTES;
  }

  line(text) {
    this.#lines.push(text);
    this.#bytes += text.length;
    if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(() => this.flush());
    }
  }

  /** Writes a line that may be lost when the worker does not keep up. */
  hint(text) {
    if (this.full)
      this.#dropped++;
    else
      this.line(text);
  }

  flush() {
    this.#scheduled = false;
    if (this.#lines.length === 0)
      return;
    const text = this.#lines.length === 1 ? `${this.#lines[0]}\n` : `${this.#lines.join('\n')}\n`;
    this.#lines = [];
    this.#bytes = 0;
    this.stream.write(text);
    if (this.full)
      input.pause();
  }

  #resume() {
    input.resume();
    if (this.#dropped > 0) {
      const count = this.#dropped;
      this.#dropped = 0;
      logLine('warn', `${count} lines of log and progress dropped: the worker did not keep up`);
    }
  }

  /** Writes all lines, then ends the process. */
  end() {
    this.flush();
    this.stream.end(() => process.exit(0));
  }
}

/** Descriptor as a stream: a pipe or socket as a rule, a file in tests. */
function streamOf(fd, options, otherwise) {
  try {
    return new Socket({ fd, ...options });
  } catch {
    return otherwise();
  }
}

const input = streamOf(3, { readable: true, writable: false },
  () => createReadStream(null, { fd: 3, highWaterMark: 1 << 16 }));
const output = new Output(streamOf(4, { readable: false, writable: true },
  () => createWriteStream(null, { fd: 4 })));

function send(message) {
  output.line(wellFormed(JSON.stringify(message)));
}

/** Replaces half characters: JSON.stringify escapes them, and no UTF-8 text can hold them. */
function wellFormed(json) {
  return json.includes('\\ud') ? json.replace(/(?<=(?:^|[^\\])(?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, '\ufffd') : json;
}

function answer(id, result) {
  send({ jsonrpc: '2.0', id, result });
}

function refuse(id, code, message, data) {
  send({ jsonrpc: '2.0', id, error: { code, message: cut(message, MOST_ERROR_CHARACTERS), data } });
}

function cut(text, most) {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

function logLine(level, text, id) {
  const message = cut(text.endsWith('\n') ? text.slice(0, -1) : text, MOST_LOG_CHARACTERS);
  output.hint(wellFormed(JSON.stringify({ jsonrpc: '2.0', method: 'log', params: { level, message, id } })));
}

// ---------------------------------------------------------------------------------------------------------- values

/** Failure that the host itself found, with a code of the fleet. */
class HostError extends Error {
  constructor(code, message, suggestion) {
    super(message);
    this.name = 'TypeError';
    this.code = code;
    this.suggestion = suggestion;
  }
}

function invalidResult(message) {
  return new HostError('E_TOOL_RESULT_INVALID', message);
}

/** Writes a value as JSON. Throws E_TOOL_RESULT_INVALID for a value that cannot be JSON, with its place. */
function jsonOf(value) {
  if (value === undefined || value === null)
    return 'null';
  let text;
  try {
    text = JSON.stringify(value);
  } catch (failure) {
    throw invalidResult(faultOf(value) ?? `$: ${textOf(() => failure.message)}`);
  }
  if (text === undefined)
    throw invalidResult(`$: a ${typeof value} is no JSON value`);
  text = wellFormed(text);
  // NaN and Infinity are written as null, and deep nesting takes many characters: other texts need no second look.
  if (text.includes('null') || text.length > 2 * MOST_NESTING) {
    const fault = faultOf(value);
    if (fault !== null)
      throw invalidResult(fault);
  }
  if (text.length * 3 > limits.messageBytes) {
    const bytes = Buffer.byteLength(text);
    if (bytes > limits.messageBytes - 256)
      throw invalidResult(`the output has ${bytes} bytes, at most ${limits.messageBytes - 256} may be`);
  }
  return text;
}

/** Returns the first place in a value that cannot be JSON, null if there is none. */
function faultOf(value) {
  const places = [];
  const within = new Set();
  const visit = (found, key) => {
    let item = found;
    if (typeof item === 'object' && item !== null && typeof item.toJSON === 'function')
      item = item.toJSON(key);
    if (typeof item === 'bigint')
      return 'a BigInt is no JSON value';
    if (typeof item === 'number' && !Number.isFinite(item))
      return `${item} is no JSON value`;
    if (typeof item !== 'object' || item === null)
      return null;
    if (within.has(item))
      return 'the value contains itself';
    if (within.size >= MOST_NESTING)
      return `nested deeper than ${MOST_NESTING} levels`;
    within.add(item);
    const fault = Array.isArray(item) ? visitItems(item) : visitFields(item);
    within.delete(item);
    return fault;
  };
  const visitItems = (items) => {
    for (let i = 0; i < items.length; i++) {
      const fault = visit(items[i], String(i));
      if (fault !== null) {
        places.push(`[${i}]`);
        return fault;
      }
    }
    return null;
  };
  const visitFields = (object) => {
    for (const key of Object.keys(object)) {
      const fault = visit(object[key], key);
      if (fault !== null) {
        places.push(/^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`);
        return fault;
      }
    }
    return null;
  };
  let fault;
  try {
    fault = visit(value, '');
  } catch {
    return null; // a getter or toJSON of the handler threw: its own message is told
  }
  return fault === null ? null : `${placeOf(places)}: ${fault}`;
}

/** Writes the place of a fault, given from the inside outwards; the middle of a long one is left out. */
function placeOf(places) {
  const text = `$${places.reverse().join('')}`;
  return text.length <= 200 ? text : `${text.slice(0, 120)}…${text.slice(-60)}`;
}

function textOf(read) {
  try {
    return String(read());
  } catch {
    return 'a value without text';
  }
}

/** Describes what a handler threw: message, and name, code, suggestion, helpUrl where they are texts. */
function describe(thrown) {
  if (!(thrown instanceof Error) && !isErrorOfOtherRealm(thrown))
    return { message: textOf(() => thrown), data: { name: 'UnknownError' } };
  const data = { name: 'Error' };
  for (const field of ['name', 'code', 'suggestion', 'helpUrl']) {
    try {
      if (typeof thrown[field] === 'string')
        data[field] = cut(thrown[field], MOST_ERROR_CHARACTERS);
    } catch {
      // a getter that throws: the field is left out
    }
  }
  return { message: textOf(() => thrown.message), data };
}

function isErrorOfOtherRealm(thrown) {
  return Object.prototype.toString.call(thrown) === '[object Error]';
}

function fail(id, thrown) {
  const { message, data } = describe(thrown);
  refuse(id, HANDLER_FAILED, message, data);
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isThenable(value) {
  return typeof value === 'object' && value !== null && typeof value.then === 'function';
}

// ---------------------------------------------------------------------------------------------------------- context

/** Call at work: its signal, made when it is asked for, and whether it has ended. */
class Call {
  #controller = null;
  #reason = null;
  ended = false;

  constructor(id) {
    this.id = id;
  }

  get signal() {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.#reason !== null)
        this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  abort(why) {
    if (this.#reason !== null)
      return;
    const late = why === 'deadline';
    this.#reason = Object.assign(new Error(late ? 'the deadline has passed' : 'the call was cancelled'),
      { name: late ? 'TimeoutError' : 'AbortError', code: late ? 'E_TOOL_TIMEOUT' : 'E_TOOL_CANCELLED' });
    this.#controller?.abort(this.#reason);
  }

  progress(percent, message) {
    if (this.ended)
      return;
    if (percent !== undefined && percent !== null && !(percent >= 0 && percent <= 100))
      throw new RangeError(`progress of ${textOf(() => percent)}: a number from 0 to 100 is wanted`);
    const text = message === undefined || message === null ? undefined : cut(textOf(() => message), 1000);
    output.hint(wellFormed(JSON.stringify({ jsonrpc: '2.0', method: 'progress',
      params: { id: this.id, percent: percent ?? undefined, message: text } })));
  }
}

const LEVELS = { log: 'info', info: 'info', warn: 'warn', error: 'error', debug: 'debug', trace: 'debug' };

/** Console whose lines go to the worker's log with the call's id. The real console is made by its first use. */
class CallLogger {
  #id;
  #console = null;

  constructor(id) {
    this.#id = id;
  }

  // Getters, so that a method works without its object: `const { info } = ctx.logger`.
  get log() { return (...values) => this.#print('log', values); }
  get info() { return (...values) => this.#print('info', values); }
  get warn() { return (...values) => this.#print('warn', values); }
  get error() { return (...values) => this.#print('error', values); }
  get debug() { return (...values) => this.#print('debug', values); }
  get trace() { return (...values) => this.#print('trace', values); }

  #print(method, values) {
    this.real()[method](...values);
  }

  real() {
    return this.#console ??= consoleOf(this.#id);
  }
}

for (const method of Object.keys(console))
  if (!Object.hasOwn(LEVELS, method) && typeof console[method] === 'function' && method !== 'Console') {
    CallLogger.prototype[method] = function other(...values) {
      return this.real()[method]?.(...values);
    };
  }

/** Makes a console that writes into the worker's log. */
function consoleOf(id) {
  let level = null;
  const sink = (otherwise) => ({
    write: (text) => logLine(level ?? otherwise, text, id),
    on() {}, once() {}, removeListener() {}, listenerCount: () => 0,
  });
  const real = new Console({ stdout: sink('info'), stderr: sink('warn'), ignoreErrors: true, colorMode: false });
  for (const [method, itsLevel] of Object.entries(LEVELS)) {
    const print = real[method];
    real[method] = (...values) => {
      const before = level;
      level ??= itsLevel;
      try {
        print.apply(real, values);
      } finally {
        level = before;
      }
    };
  }
  return real;
}

/** Sends a service request of a call, and returns the promise of its answer. */
function service(call, name, params) {
  const id = `s${++requestCount}`;
  let text;
  try {
    text = wellFormed(JSON.stringify({ jsonrpc: '2.0', id, method: 'service', params: { id: call.id, name, params } }));
  } catch (failure) {
    return Promise.reject(failure);
  }
  if (Buffer.byteLength(text) > limits.messageBytes)
    return Promise.reject(new RangeError(`${name}: at most ${limits.messageBytes} bytes can be sent`));
  if (call.ended)
    return Promise.reject(new Error(`${name}: the call has ended`));
  return new Promise((resolve, reject) => {
    requests.set(id, { resolve, reject });
    output.line(text);
  });
}

function runtimeOf(call) {
  return {
    request: (target, event, options) => service(call, 'runtime.request', { ...options, target, event }),
    send: (target, event) => service(call, 'runtime.send', { target, event }),
    spawn: (target, options) => service(call, 'runtime.spawn', { ...options, target }),
    list: (options) => service(call, 'runtime.list', { ...options }),
    catalog: () => service(call, 'runtime.catalog', {}),
  };
}

function tokenRequest({ scopes = [], minTtlSeconds } = {}) {
  return minTtlSeconds === undefined ? { scopes } : { scopes, minTtlMs: Math.round(minTtlSeconds * 1000) };
}

function messageOf(message) {
  if (isObject(message) && typeof message.createdAt === 'string')
    message.createdAt = new Date(message.createdAt);
  return message;
}

/**
 * First argument of a handler. Its fields are its own, so that copies of it have them; the signal alone is made when it
 * is read.
 */
class CallContext {
  #call;

  constructor(call, tool, exportName, given) {
    this.#call = call;
    this.agentName = given.agentName;
    this.instanceKey = given.instanceKey;
    this.turnId = given.turnId;
    this.stepId = given.stepId;
    this.traceId = given.traceId;
    this.toolCallId = given.toolCallId;
    this.toolName = tool.name;
    this.exportName = exportName;
    this.config = tool.config;
    this.caller = given.caller ?? {};
    this.message = messageOf(given.message);
    this.workdir = given.workdir;
    this.deadline = new Date(given.deadline);
    this.attempt = given.attempt;
    this.idempotencyKey = given.idempotencyKey;
    this.fencingToken = given.fencingToken;
    this.logger = new CallLogger(call.id);
    this.runtime = given.runtime === true ? runtimeOf(call) : undefined;
    this.authorized = (options) => service(call, 'oauth.token', tokenRequest(options));
    this.newHandle = newHandle;
    this.progress = (percent, message) => call.progress(percent, message);
  }

  get signal() {
    return this.#call.signal;
  }
}

function newHandle() {
  return `h_${randomBytes(24).toString('base64url')}`;
}

// ---------------------------------------------------------------------------------------------------------- loading

function root() {
  return process.env.TOOLFLEET_HOST_ROOT ?? '/';
}

/** Returns the files to try for a TypeScript entry, in order: itself if Node strips types, then its compiled twins. */
function candidates(file) {
  const extension = /\.([mc]?)ts$/.exec(file);
  if (extension === null)
    return [file];
  const found = process.features.typescript ? [file] : [];
  const compiled = file.replace(/\.([mc]?)ts$/, '.$1js');
  for (let folder = path.dirname(file); !path.relative(root(), folder).startsWith('..'); folder = path.dirname(folder)) {
    const within = path.relative(folder, compiled);
    found.push(path.join(folder, 'dist', within));
    if (within.startsWith(`src${path.sep}`))
      found.push(path.join(folder, 'dist', within.slice(4)));
    if (folder === path.dirname(folder))
      break;
  }
  found.push(compiled);
  return found.filter((each, i) => found.indexOf(each) === i && existsSync(each));
}

const NOT_STRIPPABLE = new Set(['ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX', 'ERR_INVALID_TYPESCRIPT_SYNTAX',
  'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING', 'ERR_MODULE_NOT_FOUND']);

/** Failure to load a module that the host itself found. */
class LoadError extends Error {}

async function importEntry(file) {
  const files = candidates(file);
  if (files.length === 0 || !existsSync(files[0])) {
    throw new LoadError(existsSync(file)
      ? `${path.relative(root(), file)} needs a Node that strips types (22.18 or later, this is ${process.version}), or its compiled twin `
        + `dist/${path.relative(root(), file).replace(/\.([mc]?)ts$/, '.$1js')}`
      : `${path.relative(root(), file)} does not exist`);
  }
  for (let i = 0; ; i++) {
    try {
      return await import(pathToFileURL(files[i]).href);
    } catch (failure) {
      if (i + 1 === files.length || !NOT_STRIPPABLE.has(failure?.code))
        throw await located(failure, files[i]);
    }
  }
}

/** Gives an error of a module its place: Node names none for a syntax error that is caught. */
async function located(failure, file) {
  if (!(failure instanceof SyntaxError) || /^\S+:\d+$/m.test(textOf(() => failure.stack).split('\n')[0]))
    return failure;
  const code = `await import(${JSON.stringify(pathToFileURL(file).href)})`;
  const printed = await new Promise((resolve) => {
    execFile(process.execPath, ['--input-type=module', '-e', code], { timeout: 5000, maxBuffer: 1 << 20 },
      (_, __, stderr) => resolve(stderr));
  });
  const start = printed.search(/^\S+:\d+$/m);
  if (start >= 0)
    failure.stack = printed.slice(start);
  return failure;
}

/** Returns the first line about a failed load: place in the bundle, name and message. */
function headline(failure, stack) {
  if (failure instanceof LoadError)
    return failure.message;
  const what = (failure instanceof Error ? textOf(() => `${failure.name}: ${failure.message}`)
    : textOf(() => failure)).split('\n')[0];
  for (const [, address, line] of stack.matchAll(/(?<=^|[\s(])(?:file:\/\/)?(\/[^\s()]+?):(\d+)(?::\d+)?\)?$/gm)) {
    const within = path.relative(root(), fileOf(address));
    if (!within.startsWith('..'))
      return `${within}:${line}: ${what}`;
  }
  return what;
}

function fileOf(address) {
  try {
    return fileURLToPath(`file://${address}`);
  } catch {
    return address;
  }
}

function functionsOf(module) {
  const functions = {};
  for (const name of ['reconcile', 'poll', 'cancel']) {
    const found = module[name] ?? module.default?.[name];
    functions[name] = typeof found === 'function' ? found : null;
  }
  return functions;
}

async function load(id, params) {
  try {
    const module = await importEntry(params.file);
    const owner = module.handlers ?? module.default?.handlers;
    if (typeof owner !== 'object' || owner === null)
      throw new LoadError(`${path.relative(root(), params.file)} exports no object 'handlers'`);
    const handlers = new Map();
    for (const name of Object.keys(owner))
      if (typeof owner[name] === 'function')
        handlers.set(name, owner[name]);
    for (const name of params.exports ?? [])
      if (Object.hasOwn(owner, name) && !handlers.has(name))
        throw new LoadError(`handlers[${JSON.stringify(name)}] is no function`);
    const functions = functionsOf(module);
    tools.set(params.tool, { name: params.tool, owner, handlers, functions, config: params.config ?? {} });
    answer(id, { handlers: [...handlers.keys()], reconcile: functions.reconcile !== null,
      poll: functions.poll !== null, cancel: functions.cancel !== null });
  } catch (failure) {
    const stack = failure instanceof Error ? textOf(() => failure.stack) : textOf(() => failure);
    refuse(id, LOAD_FAILED, headline(failure, stack), { stack: cut(stack, MOST_ERROR_CHARACTERS) });
  }
}

// ---------------------------------------------------------------------------------------------------------- calls

/** Runs a function of a bundle as the request `id`, and answers with what `write` makes of its value. */
function run(id, start, write) {
  const call = new Call(id);
  calls.set(id, call);
  const done = (value) => {
    ended(call);
    try {
      output.line(`{"jsonrpc":"2.0","id":${id},"result":${write(value)}}`);
    } catch (failure) {
      fail(id, failure);
    }
    finishDrain();
  };
  const failed = (thrown) => {
    ended(call);
    fail(id, thrown);
    finishDrain();
  };
  let value;
  try {
    value = start(call);
    if (isThenable(value)) {
      Promise.resolve(value).then(done, failed);
      return;
    }
  } catch (thrown) {
    failed(thrown);
    return;
  }
  done(value);
}

function ended(call) {
  call.ended = true;
  calls.delete(call.id);
}

function finishDrain() {
  if (draining && calls.size === 0)
    output.end();
}

function toolOf(id, params) {
  const tool = tools.get(params.tool);
  if (tool === undefined)
    refuse(id, BAD_REQUEST, `the Tool '${params.tool}' is not loaded`);
  return tool;
}

function invoke(id, params) {
  const tool = toolOf(id, params);
  if (tool === undefined)
    return;
  const handler = tool.handlers.get(params.export);
  if (handler === undefined) {
    refuse(id, BAD_REQUEST, `the Tool '${params.tool}' has no handler '${params.export}'`);
    return;
  }
  run(id, (call) => handler.call(tool.owner, new CallContext(call, tool, params.export, params.context ?? {}),
    params.input ?? {}), invoked);
}

function invoked(value) {
  if (typeof value !== 'object' || value === null || value.__async !== true || Array.isArray(value))
    return `{"output":${jsonOf(value)}}`;
  const { __async: _, handle, ...rest } = value;
  if (typeof handle !== 'string' || !HANDLE.test(handle))
    throw invalidResult('$.handle: a pending result needs a handle that is a text and not empty');
  const fields = Object.keys(rest).length === 0 ? '' : `,"output":${jsonOf(rest)}`;
  return `{"pending":{"handle":${JSON.stringify(handle)}${fields}}}`;
}

function answerBy(id, params, name, start, write) {
  const tool = toolOf(id, params);
  if (tool === undefined)
    return;
  const found = tool.functions[name];
  if (found === null)
    refuse(id, UNKNOWN_METHOD, `the module of the Tool '${params.tool}' exports no function '${name}'`);
  else
    run(id, (call) => start(found, call, tool), write);
}

function reconcile(id, params) {
  answerBy(id, params, 'reconcile',
    (f, call, tool) => f(new CallContext(call, tool, params.export, params.context ?? {}), params.input ?? {}), (value) => {
      const verdict = typeof value === 'string' ? { verdict: value } : value ?? { verdict: 'unknown' };
      if (!['happened', 'didNotHappen', 'unknown'].includes(verdict.verdict))
        throw invalidResult('reconcile must return {verdict: happened, didNotHappen or unknown}');
      return verdict.verdict === 'happened'
        ? `{"verdict":"happened","output":${jsonOf(verdict.output)}}` : JSON.stringify({ verdict: verdict.verdict });
    });
}

function workOf(call, tool, params) {
  return { ...params.work, toolName: tool.name, exportName: params.export, config: tool.config,
    signal: call.signal, logger: new CallLogger(call.id) };
}

function poll(id, params) {
  answerBy(id, params, 'poll', (f, call, tool) => f(workOf(call, tool, params)), (value) => {
    if (!isObject(value) || !['running', 'completed', 'failed'].includes(value.state))
      throw invalidResult('poll must return {state: running, completed or failed}');
    if (value.state === 'completed')
      return `{"state":"completed","output":${jsonOf(value.output)}}`;
    if (value.state === 'running')
      return jsonOf({ state: 'running', percent: value.percent ?? undefined, message: value.message ?? undefined });
    const { message, data } = value.error instanceof Error || !isObject(value.error)
      ? describe(value.error ?? 'the work failed') : { message: value.error.message, data: value.error };
    const { name, code, suggestion, helpUrl } = data;
    return jsonOf({ state: 'failed', error: { code, message: textOf(() => message), name, suggestion, helpUrl } });
  });
}

function cancelWork(id, params) {
  answerBy(id, params, 'cancel', (f, call, tool) => f(workOf(call, tool, params)), () => '{}');
}

// ---------------------------------------------------------------------------------------------------------- dispatch

/** The longest delay of a timer since the last ping. */
const lag = { expected: performance.now() + 1000, most: 0 };
setInterval(() => {
  lag.most = Math.max(lag.most, performance.now() - lag.expected);
  lag.expected = performance.now() + 1000;
}, 1000).unref();

const METHODS = {
  hello(id, params) {
    limits.messageBytes = params.limits?.messageBytes ?? limits.messageBytes;
    limits.inFlight = Math.min(params.limits?.inFlight ?? limits.inFlight, MOST_IN_FLIGHT);
    answer(id, { protocol: PROTOCOL, language: 'node', version: process.versions.node, inFlight: limits.inFlight });
  },
  load,
  invoke,
  reconcile,
  poll,
  cancelWork,
  ping(id) {
    const late = Math.max(lag.most, performance.now() - lag.expected, 0);
    lag.most = 0;
    answer(id, { eventLoopLagMs: Math.round(late), rss: process.memoryUsage.rss(), inFlight: calls.size });
  },
};

const NOTIFICATIONS = {
  cancel: (params) => calls.get(params.id)?.abort(params.reason),
  drain() {
    draining = true;
    finishDrain();
  },
};

function takeLine(line) {
  if (line.length === 0)
    return;
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    console.error(`host: a line of the worker is no JSON: ${cut(line, 200)}`);
    return;
  }
  take(message);
}

function take(message) {
  if (!isObject(message))
    console.error('host: a line of the worker is no JSON object');
  else if (message.method === undefined)
    takeAnswer(message);
  else if (message.id === undefined)
    Object.hasOwn(NOTIFICATIONS, message.method) && NOTIFICATIONS[message.method](message.params ?? {});
  else if (Object.hasOwn(METHODS, message.method))
    METHODS[message.method](message.id, message.params ?? {});
  else
    refuse(message.id, UNKNOWN_METHOD, `unknown method '${message.method}'`);
}

function takeAnswer(message) {
  const request = requests.get(message.id);
  if (request === undefined)
    return;
  requests.delete(message.id);
  if (message.error === undefined) {
    request.resolve(message.result);
    return;
  }
  const error = new Error(message.error.message);
  for (const field of ['name', 'code', 'suggestion', 'helpUrl'])
    if (typeof message.error.data?.[field] === 'string')
      error[field] = message.error.data[field];
  request.reject(error);
}

// ---------------------------------------------------------------------------------------------------------- input

/** Parts of a line whose end has not come yet. */
let parts = [];

function takeChunk(chunk) {
  const last = chunk.lastIndexOf(10);
  if (last < 0) {
    parts.push(chunk);
    return;
  }
  let whole = chunk.subarray(0, last);
  if (parts.length > 0) {
    parts.push(whole);
    whole = Buffer.concat(parts);
    parts = [];
  }
  if (last + 1 < chunk.length)
    parts.push(chunk.subarray(last + 1));
  takeLines(whole.toString('utf8'));
}

/** Takes lines. All are parsed at once as one array, which is faster, and one by one if one of them is no JSON. */
function takeLines(text) {
  let messages;
  try {
    messages = JSON.parse(`[${text.replaceAll('\n', ',')}]`);
  } catch {
    text.split('\n').forEach(takeLine);
    return;
  }
  for (const message of messages)
    take(message);
}

/** Ends the process after a failure that no call owns: its state is unknown from here on. */
function broken(kind, thrown) {
  console.error(`host: ${kind}:`, thrown);
  process.exit(EXIT_BROKEN);
}

process.on('uncaughtException', (thrown) => broken('uncaught exception', thrown));
process.on('unhandledRejection', (thrown) => broken('unhandled rejection', thrown));
// A terminal or a service manager signals all processes at once, and the worker finishes its calls first.
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {});
process.on('exit', () => output.flush()); // answers of calls that have ended are not lost with the process
input.on('data', takeChunk);
input.on('end', () => process.exit(0));
input.on('error', () => process.exit(0));

// A handler that never yields keeps the end of the input from being seen: a thread looks whether the parent is there.
// It gets the parent's id: the parent may have ended before the thread runs.
new Worker(`const { workerData: parent } = require('node:worker_threads');
setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), 500);`,
{ eval: true, workerData: process.ppid, resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 } }).unref();
