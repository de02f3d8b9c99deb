// Tests of the handlers alone, against the compiled module. Run: npm test
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handlers } from '../../dist/tools/text-utils/index.js';

const context = { config: { most: 2 }, logger: { info() {} }, progress() {}, signal: AbortSignal.timeout(60_000) };

test('uppercase', async () => {
  assert.deepEqual(await handlers.uppercase(context, { text: 'fleet' }), { result: 'FLEET' });
});

test('words counts the most frequent ones', () => {
  assert.deepEqual(handlers.words(context, { text: 'to be or not to be' }), { be: 2, to: 2 });
});

test('words refuses a text without words', () => {
  assert.throws(() => handlers.words(context, { text: '42' }), { code: 'E_NO_WORDS' });
});

test('wait ends with its signal', async () => {
  await assert.rejects(handlers.wait({ ...context, signal: AbortSignal.timeout(1) }, { ms: 60_000 }), { name: 'TimeoutError' });
});
