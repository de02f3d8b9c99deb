// Handlers that do one thing each for host.test.mjs.
const cyclic = { list: [] };
cyclic.list.push(cyclic);

function nested(levels) {
  let value = 1;
  for (let i = 0; i < levels; i++)
    value = [value];
  return value;
}

export const handlers = {
  echo: (ctx, input) => input,
  context: (ctx) => {
    const { logger, signal, runtime, deadline, message, newHandle, progress, ...rest } = { ...ctx, signal: ctx.signal };
    return { ...rest, deadline: deadline instanceof Date, createdAt: message.createdAt instanceof Date,
      signal: signal instanceof AbortSignal, runtime: typeof runtime, logger: typeof logger.table,
      handles: newHandle() !== newHandle(), progress: typeof progress };
  },
  nothing: () => undefined,
  holes: () => ({ kept: null, list: [undefined, 1], left: undefined, text: 'null' }),
  notANumber: () => ({ items: [1, { price: NaN }] }),
  infinite: () => ({ 'a-b': -Infinity }),
  bigInt: () => ({ count: 1n }),
  cyclic: () => cyclic,
  aFunction: () => () => 1,
  deep: () => nested(450),
  deepest: () => nested(100_000),
  long: () => 'x'.repeat(5_000_000),
  large: () => 'y'.repeat(1_000_000),
  half: () => 'a\ud800b\\ud800',
  coded: () => {
    throw Object.assign(new TypeError('wrong'), { code: 'E_WRONG', suggestion: 'right', helpUrl: 'https://help' });
  },
  numbered: () => { throw Object.assign(new Error('wrong'), { code: 17 }); },
  text: () => { throw 'plain'; },
  rejected: async () => { throw new RangeError('later'); },
  pending: (ctx) => ({ __async: true, handle: ctx.newHandle(), message: 'begun' }),
  bareHandle: () => ({ __async: true, handle: 'h-1' }),
  noHandle: () => ({ __async: true, handle: '' }),
  untilCancelled: (ctx) => new Promise((resolve) => {
    ctx.signal.addEventListener('abort', () => resolve(ctx.signal.reason.code));
  }),
  progress: (ctx) => {
    ctx.progress(50, 'half');
    ctx.progress(undefined, 'more');
  },
  wrongProgress: (ctx) => ctx.progress(101),
  logs: (ctx) => {
    ctx.logger.log('%d of', 1, { n: 2 });
    ctx.logger.warn('careful');
    ctx.logger.error('wrong');
    ctx.logger.debug('detail');
    ctx.logger.info('z'.repeat(10_000));
    console.log('a print');
  },
  services: async (ctx) => ({
    request: await ctx.runtime.request('coder', { input: 'hi' }, { timeoutMs: 5 }),
    send: await ctx.runtime.send('coder', { name: 'news' }),
    spawn: await ctx.runtime.spawn('coder', { cwd: '/src' }),
    list: await ctx.runtime.list({ includeAll: true }),
    catalog: await ctx.runtime.catalog(),
  }),
  refused: async (ctx) => {
    try {
      await ctx.runtime.send('nobody', {});
    } catch (failure) {
      return { name: failure.name, code: failure.code, suggestion: failure.suggestion, message: failure.message };
    }
  },
  loop: () => { for (;;); },
  timers: () => { setInterval(() => {}, 10); },
  leave: () => process.exit(3),
  unhandled: () => { Promise.reject(new Error('forgotten')); },
  uncaught: () => { setTimeout(() => { throw new Error('in a timer'); }); },
};

export const reconcile = async (ctx, input) => input.happened ? { verdict: 'happened', output: ctx.attempt } : input.verdict;

export const poll = (work) => ({
  running: { state: 'running', percent: 5, message: 'slow' },
  completed: { state: 'completed', output: work.input },
  failed: { state: 'failed', error: Object.assign(new Error('burnt'), { code: 'E_OVEN' }) },
})[work.handle];

export const cancel = (work) => work.logger.info(`stopped ${work.handle}`);
