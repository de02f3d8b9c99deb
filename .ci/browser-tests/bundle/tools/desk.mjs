// Handlers of the browser tests.
const HOSTILE = {
  script: '<script>document.title = "taken"; window.taken = 1;</script>',
  attribute: '"><img src=x onerror="window.taken = 2">',
  line: 'x'.repeat(900_000),
};

export const handlers = {
  echo: (_ctx, input) => ({ text: input.text }),
  hostile: (_ctx, input) => ({ text: HOSTILE[input.kind] }),
  fail: () => {
    throw new Error(`the printer is on fire, sheet ${Math.floor(Math.random() * 1000)}`);
  },
  wait: async (_ctx, input) => {
    await new Promise(resolve => setTimeout(resolve, input.seconds * 1000));
    return { waited: input.seconds };
  },
  later: ctx => ({ __async: true, handle: `job-${ctx.toolCallId}` }),
  publish: (_ctx, input) => ({ published: input.title }),
};
