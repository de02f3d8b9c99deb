// Tests of the compiled module. Run: npm test
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handlers } from '../dist/tools/text.js';

test('words and characters are counted', () => {
  assert.deepEqual(handlers.count({}, { text: ' the quick brown fox ' }), { words: 4, characters: 19 });
});

test('a blank text is refused with advice', () => {
  assert.throws(() => handlers.count({}, { text: ' ' }), { code: 'E_NO_TEXT' });
});
