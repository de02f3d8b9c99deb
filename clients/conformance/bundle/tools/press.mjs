import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

function note(ctx, name, word) {
  const file = join(ctx.workdir, name);
  appendFileSync(file, `${word}\n`);
  return readFileSync(file, 'utf8').trim().split('\n');
}

export const handlers = {
  echo: (ctx, { text }) => ({ text }),
  fail: () => {
    throw Object.assign(new Error('The press is out of paper.'), { code: 'E_PAPER', suggestion: 'Fill the tray.' });
  },
  stamp: async (ctx, { word, pause = 0 }) => {
    const words = note(ctx, 'stamped', word);
    await new Promise(resolve => setTimeout(resolve, pause));
    return { ran: words.filter(each => each === word).length, words };
  },
  print: (ctx, { pages }) => ({ __async: true, handle: ctx.newHandle(), note: `${pages} pages are ordered.` }),
  grind: async ctx => {
    const begun = note(ctx, 'ground', 'x').length;
    ctx.progress(10, 'the stones turn');
    await new Promise(resolve => setTimeout(resolve, 8_000));
    return { again: begun > 1 };
  },
  pay: (ctx, { cents }) => ({ cents, ran: note(ctx, 'paid', String(cents)).length }),
};
