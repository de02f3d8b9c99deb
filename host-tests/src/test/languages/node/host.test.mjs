// Tests of host.mjs through its pipes. Run: node --test
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { CONTEXT, Peer } from './peer.mjs';

let peer;
before(async () => { peer = await Peer.loaded(); });
after(() => peer.close());

const invalid = (message) => ({ code: -32000, message, data: { name: 'TypeError', code: 'E_TOOL_RESULT_INVALID' } });

test('handlers of the specification run unchanged', async () => {
  assert.deepEqual((await peer.load('seed.mjs')).handlers, ['calc.add', 'calc.multiply']);
  assert.deepEqual(await peer.invoke('calc.add', { a: 1, b: 2 }, { tool: 'seed.mjs' }),
    { output: { result: 3, expression: '1 + 2 = 3' } });
  assert.deepEqual(await peer.invoke('calc.multiply', { a: 3, b: 2 }, { tool: 'seed.mjs' }),
    { output: { result: 6, expression: '3 × 2 = 6' } });
  assert.deepEqual(await peer.invoke('calc.add', { a: 'x' }, { tool: 'seed.mjs' }),
    { code: -32000, message: 'a와 b는 숫자여야 합니다.', data: { name: 'Error' } });
});

test('handlers may stand in the default export and in a common module', async () => {
  for (const [file, output] of [['default.mjs', 'by default'], ['common.cjs', 'common']]) {
    await peer.load(file);
    assert.deepEqual(await peer.invoke('a', {}, { tool: file }), { output });
  }
});

test('TypeScript runs by stripping, or by its compiled twin', async () => {
  const strips = Boolean(process.features.typescript);
  for (const [file, twin] of [['tools/typed.ts', 'compiled'], ['tools/beside.ts', 'beside']]) {
    await peer.load(file);
    assert.deepEqual(await peer.invoke('a', {}, { tool: file }), { output: strips ? 'typescript' : twin });
  }
});

test('a load that fails names file and line', async () => {
  for (const [file, message] of [
    ['syntax.mjs', "syntax.mjs:2: SyntaxError: Unexpected token ';'"],
    ['throws.mjs', 'throws.mjs:1: Error: not today'],
    ['absent.mjs', 'absent.mjs does not exist'],
    ['no-handlers.mjs', "no-handlers.mjs exports no object 'handlers'"],
    ['no-function.mjs', 'handlers["a"] is no function'],
  ]) {
    const failure = await peer.load(file);
    assert.equal(failure.code, -32001);
    assert.equal(failure.message, message);
    assert.equal(typeof failure.data.stack, 'string');
  }
});

test('the context has the fields of the call, and copies keep them', async () => {
  const { agentName, instanceKey, turnId, stepId, traceId, toolCallId, caller, workdir, attempt, idempotencyKey,
    fencingToken } = CONTEXT;
  assert.deepEqual((await peer.invoke('context')).output, { agentName, instanceKey, turnId, stepId, traceId, toolCallId,
    caller, workdir, attempt, idempotencyKey, fencingToken, toolName: 'all.mjs', exportName: 'context', config: {},
    deadline: true, createdAt: true, signal: true, runtime: 'object', logger: 'function', handles: true,
    progress: 'function' });
  assert.equal((await peer.invoke('context', {}, { runtime: false })).output.runtime, 'undefined');
});

test('outputs become JSON as JSON.stringify makes them', async () => {
  assert.deepEqual(await peer.invoke('nothing'), { output: null });
  assert.deepEqual(await peer.invoke('holes'), { output: { kept: null, list: [null, 1], text: 'null' } });
  assert.deepEqual(await peer.invoke('half'), { output: 'a\ufffdb\\ud800' });
  assert.deepEqual(await peer.invoke('echo', { 한: '글\u2028\n' }), { output: { 한: '글\u2028\n' } });
});

test('a value that cannot be JSON fails with its place', async () => {
  assert.deepEqual(await peer.invoke('notANumber'), invalid('$.items[1].price: NaN is no JSON value'));
  assert.deepEqual(await peer.invoke('infinite'), invalid('$["a-b"]: -Infinity is no JSON value'));
  assert.deepEqual(await peer.invoke('bigInt'), invalid('$.count: a BigInt is no JSON value'));
  assert.deepEqual(await peer.invoke('cyclic'), invalid('$.list[0]: the value contains itself'));
  assert.deepEqual(await peer.invoke('aFunction'), invalid('$: a function is no JSON value'));
  assert.deepEqual(await peer.invoke('long'), invalid('the output has 5000002 bytes, at most 4194048 may be'));
  for (const name of ['deep', 'deepest'])
    assert.match((await peer.invoke(name)).message, /^\$\[0].*: nested deeper than 400 levels$/);
});

test('failures keep name, code, suggestion and help address', async () => {
  assert.deepEqual(await peer.invoke('coded'), { code: -32000, message: 'wrong',
    data: { name: 'TypeError', code: 'E_WRONG', suggestion: 'right', helpUrl: 'https://help' } });
  assert.deepEqual(await peer.invoke('numbered'), { code: -32000, message: 'wrong', data: { name: 'Error' } });
  assert.deepEqual(await peer.invoke('rejected'), { code: -32000, message: 'later', data: { name: 'RangeError' } });
  assert.deepEqual(await peer.invoke('text'), { code: -32000, message: 'plain', data: { name: 'UnknownError' } });
});

test('__async is a pending result', async () => {
  const { pending } = await peer.invoke('pending');
  assert.match(pending.handle, /^h_[\w-]{32}$/);
  assert.deepEqual(pending.output, { message: 'begun' });
  assert.deepEqual(await peer.invoke('bareHandle'), { pending: { handle: 'h-1' } });
  assert.equal((await peer.invoke('noHandle')).data.code, 'E_TOOL_RESULT_INVALID');
});

test('a ping is answered while a handler waits, and a cancellation fires its signal', async () => {
  for (const [reason, code] of [['deadline', 'E_TOOL_TIMEOUT'], ['cancelled', 'E_TOOL_CANCELLED']]) {
    const call = peer.invoke('untilCancelled');
    const pong = await peer.send('ping', {});
    assert.equal(pong.inFlight, 1);
    assert.ok(pong.rss > 10_000_000 && pong.eventLoopLagMs >= 0);
    peer.notify('cancel', { id: call.id, reason });
    assert.deepEqual(await call, { output: code });
  }
});

test('progress and logs name their call', async () => {
  peer.notes.length = 0;
  const { id } = await withId(peer.invoke('progress'));
  assert.deepEqual(peer.notes.map((note) => note.params),
    [{ id, percent: 50, message: 'half' }, { id, message: 'more' }]);
  assert.equal((await peer.invoke('wrongProgress')).data.name, 'RangeError');

  peer.notes.length = 0;
  const logs = await withId(peer.invoke('logs'));
  assert.deepEqual(peer.notes.map(({ params }) => [params.level, params.message.slice(0, 20), params.id]), [
    ['info', '1 of { n: 2 }', logs.id], ['warn', 'careful', logs.id], ['error', 'wrong', logs.id],
    ['debug', 'detail', logs.id], ['info', 'z'.repeat(20), logs.id]]);
  assert.equal(peer.notes.at(-1).params.message.length, 8192);
  while (!peer.stderr.includes('a print'))
    await once(peer.child.stderr, 'data');
});

async function withId(call) {
  return { id: call.id, answer: await call };
}

test('services are promises within a handler', async () => {
  assert.deepEqual((await peer.invoke('services')).output, {
    request: { eventId: 'e', target: 'coder', response: 'hi', correlationId: 'c5' },
    send: { eventId: 'e', target: 'coder', accepted: true },
    spawn: { target: 'coder', instanceKey: 'i', spawned: true, cwd: '/src' },
    list: { agents: [{ target: 'coder', instanceKey: 'i' }] },
    catalog: { selfAgent: 'clerk', availableAgents: ['clerk'], callableAgents: [] },
  });
  assert.deepEqual((await peer.invoke('refused')).output,
    { name: 'AgentError', code: 'E_AGENT', suggestion: 'ask ada', message: 'no such agent' });
});

test('reconcile, poll and cancelWork call the functions of the module', async () => {
  const ask = (input) => peer.send('reconcile', { tool: 'all.mjs', export: 'echo', context: CONTEXT, input });
  assert.deepEqual(await ask({ happened: true }), { verdict: 'happened', output: 2 });
  assert.deepEqual(await ask({ verdict: 'didNotHappen' }), { verdict: 'didNotHappen' });
  assert.deepEqual(await ask({}), { verdict: 'unknown' });
  assert.equal((await ask({ verdict: 'perhaps' })).data.code, 'E_TOOL_RESULT_INVALID');

  const work = (handle) => ({ tool: 'all.mjs', export: 'echo', work: { handle, input: { n: 1 }, instanceKey: 'i',
    toolCallId: 'call', startedAt: CONTEXT.deadline, deadline: CONTEXT.deadline } });
  assert.deepEqual(await peer.send('poll', work('running')), { state: 'running', percent: 5, message: 'slow' });
  assert.deepEqual(await peer.send('poll', work('completed')), { state: 'completed', output: { n: 1 } });
  assert.deepEqual(await peer.send('poll', work('failed')),
    { state: 'failed', error: { code: 'E_OVEN', message: 'burnt', name: 'Error' } });
  assert.deepEqual(await peer.send('cancelWork', work('running')), {});
  assert.equal(peer.notes.at(-1).params.message, 'stopped running');
});

test('requests that do not fit are refused', async () => {
  assert.equal((await peer.send('invent', {})).code, -32601);
  assert.equal((await peer.invoke('absent')).code, -32602);
  assert.equal((await peer.invoke('constructor')).code, -32602);
  assert.equal((await peer.invoke('echo', {}, { tool: 'absent' })).code, -32602);
  peer.notify('invent', {});
  peer.child.stdin.write('no json\n\n[1]\n');
  assert.deepEqual(await peer.invoke('echo', { n: 1 }), { output: { n: 1 } });
});

test('messages arrive whole, however the pipe cuts them', async () => {
  const call = peer.invoke('echo', { text: '글'.repeat(1_000_000) });
  const line = Buffer.from('{"jsonrpc":"2.0","method":"cancel","params":{"id":0,"reason":"cancelled","한":"글"}}\n');
  for (let i = 0; i < line.length; i += 5)
    peer.child.stdin.write(line.subarray(i, i + 5));
  assert.equal((await call).output.text.length, 1_000_000);
  assert.deepEqual(await peer.invoke('echo', { n: 1 }), { output: { n: 1 } });
});

test('answers wait in order for a worker that does not read', async () => {
  peer.child.stdout.pause();
  const calls = Array.from({ length: 30 }, () => peer.invoke('large'));
  peer.child.stdout.resume();
  for (const answer of await Promise.all(calls))
    assert.equal(answer.output.length, 1_000_000);
});

test('drain ends the process after the calls at work', async () => {
  const other = await Peer.loaded();
  const call = other.invoke('untilCancelled');
  await other.invoke('timers');
  other.notify('drain', {});
  other.notify('cancel', { id: call.id, reason: 'cancelled' });
  assert.deepEqual(await call, { output: 'E_TOOL_CANCELLED' });
  assert.equal(await other.ended, 0);
});

test('the end of the input ends the process at once', async () => {
  const other = await Peer.loaded();
  await other.invoke('timers');
  other.invoke('untilCancelled').catch(() => {});
  assert.equal(await other.close(), 0);
});

test('signals to all processes leave the end to the worker', async () => {
  const other = await Peer.loaded();
  const call = other.invoke('untilCancelled');
  await other.send('ping', {});
  other.child.kill('SIGTERM');
  other.child.kill('SIGINT');
  assert.deepEqual(await other.invoke('echo', { n: 1 }), { output: { n: 1 } });
  other.notify('cancel', { id: call.id, reason: 'cancelled' });
  assert.deepEqual(await call, { output: 'E_TOOL_CANCELLED' });
  assert.equal(await other.close(), 0);
});

for (const [name, status] of [['leave', 3], ['unhandled', 70], ['uncaught', 70]]) {
  test(`${name} ends the process with status ${status}, and answers that were there arrive`, async () => {
    const other = await Peer.loaded();
    const earlier = other.invoke('echo', { n: 1 });
    const call = other.invoke(name);
    call.catch(() => {});
    assert.deepEqual(await earlier, { output: { n: 1 } });
    assert.equal(await other.ended, status);
  });
}

test('a host whose handler never yields ends when its worker is gone', async () => {
  const worker = spawn(process.execPath, ['--input-type=module', '-e', `
    import { Peer } from ${JSON.stringify(new URL('./peer.mjs', import.meta.url).href)};
    const peer = await Peer.loaded();
    peer.invoke('loop').catch(() => {});
    setTimeout(() => { console.log(peer.child.pid); process.kill(process.pid, 'SIGKILL'); }, 200);`]);
  const exit = once(worker, 'exit');
  const [text] = await once(worker.stdout, 'data');
  await exit;
  while (isAlive(Number(text)))
    await new Promise((resolve) => setTimeout(resolve, 20));
});

function isAlive(pid) {
  try {
    return !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
