// Handlers of the Tool `calculator`: plain JavaScript, whose types an editor takes from the comment.

/** @type {import('@toolfleet/host').Handlers} */
export const handlers = {
  add: async (ctx, { a, b }) => ({ result: a + b, expression: `${a} + ${b} = ${a + b}` }),
};
