// Handlers of the Tool `text-utils`.
import type { Handlers, ToolContext } from '@toolfleet/host';

interface Text {
  text: string;
}

export const handlers: Handlers = {
  uppercase: async (ctx: ToolContext, input: Text) => {
    ctx.logger.info(`Converting "${input.text}" to uppercase`);
    return { result: input.text.toUpperCase() };
  },

  words: (ctx: ToolContext, { text }: Text) => {
    const counts = new Map<string, number>();
    for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? [])
      counts.set(word, (counts.get(word) ?? 0) + 1);
    if (counts.size === 0)
      throw Object.assign(new Error('The text has no words.'), { code: 'E_NO_WORDS', suggestion: 'Give a text with letters.' });
    const sorted = [...counts].sort(([a, n], [b, m]) => m - n || a.localeCompare(b));
    return Object.fromEntries(sorted.slice(0, Number(ctx.config.most)));
  },

  /** The signal ends the timer when the call is cancelled or its deadline has passed. */
  wait: (ctx: ToolContext, { ms }: { ms: number }) => new Promise((resolve, reject) => {
    ctx.progress(0, 'waiting');
    const timer = setTimeout(() => resolve({ waited: ms }), ms);
    ctx.signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(ctx.signal.reason);
    });
  }),
};
