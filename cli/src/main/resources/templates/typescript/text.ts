// The code behind the Tool `text`: one handler for each export.
import type { Handlers, ToolContext } from '@toolfleet/host';

interface Count {
  words: number;
  characters: number;
}

export const handlers: Handlers = {
  count: (ctx: ToolContext, { text }: { text: string }): Count => {
    const words = text.split(/\s+/).filter((word) => word !== '');
    if (words.length === 0) {
      throw Object.assign(new Error('There is nothing to count: the text is blank.'),
        { code: 'E_NO_TEXT', suggestion: 'Pass a text with at least one word.' });
    }
    return { words: words.length, characters: [...text.trim()].length };
  },
};
