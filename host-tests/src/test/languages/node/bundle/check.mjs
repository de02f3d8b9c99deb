// The handlers that `toolfleet host check` calls.
export const handlers = {
  echo: (ctx, input) => input,
  fail: () => { throw new RangeError('as asked'); },
  progress: (ctx) => ctx.progress(50, 'half'),
  wait: (ctx) => new Promise((resolve) => ctx.signal.addEventListener('abort', resolve)),
};
