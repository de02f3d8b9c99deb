import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns once two calls of the instance are here at the same time. */
async function meet(ctx, { name }) {
  const file = join(ctx.workdir, 'met');
  appendFileSync(file, `${name}\n`);
  for (let i = 0; i < 500; i++) {
    const names = readFileSync(file, 'utf8').trim().split('\n');
    if (names.length > 1) return { names };
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  throw new Error('The other call did not come.');
}

export const handlers = { meet };
