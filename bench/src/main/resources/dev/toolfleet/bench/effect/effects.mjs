// The tools of a run with crashes, as EffectTools is in Java: each writes to a file that it begins, waits as long as its
// call demands, writes that it has ended, and answers with its call's id and a text of the demanded length.
import { fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';

const kinds = { read: 'READ_ONLY', put: 'IDEMPOTENT', append: 'ONCE' };
const file = openSync(effectFile(), 'a');
let runs = 0;

/** The file of this process, beside that of its worker, whose command line names it. */
function effectFile() {
  const line = readFileSync(`/proc/${process.ppid}/cmdline`, 'utf8').split('\0');
  const property = line.find(argument => argument.startsWith('-Dtoolfleet.bench.effects='));
  return property.slice(property.indexOf('=') + 1).replace(/\.effects$/, `-${process.pid}.effects`);
}

function write(mark, run, kind, ctx) {
  const micros = Math.round((performance.timeOrigin + performance.now()) * 1000);
  writeSync(file, `${mark} ${micros} ${run} ${kind} ${ctx.toolCallId} ${ctx.instanceKey} ${ctx.attempt}\n`);
  fsyncSync(file);
}

function waiting(millis, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, millis);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

function effect(kind) {
  return async (ctx, input) => {
    const run = ++runs;
    write('begin', run, kind, ctx);
    try {
      await waiting(input.millis ?? 0, ctx.signal);
    } catch (reason) {
      write('cut', run, kind, ctx);
      throw reason;
    }
    write('end', run, kind, ctx);
    if (input.pending)
      return { __async: true, handle: ctx.newHandle(), call: ctx.toolCallId };
    return { call: ctx.toolCallId, text: '.'.repeat(input.bytes ?? 0) };
  };
}

export const handlers = Object.fromEntries(Object.entries(kinds)
  .flatMap(([name, kind]) => [[name, effect(kind)], [`asked-${name}`, effect(kind)]]));
