import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

function count(ctx, name) {
  const file = join(ctx.workdir, name);
  appendFileSync(file, 'x');
  return readFileSync(file, 'utf8').length;
}

export const handlers = {
  grind: async (ctx) => {
    const begun = count(ctx, 'begun');
    await new Promise((resolve) => setTimeout(resolve, 8_000));
    return { begun };
  },
  stamp: (ctx) => ({ ran: count(ctx, 'stamped') }),
};
