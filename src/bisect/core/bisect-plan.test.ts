import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseBisectJournal } from './bisect-plan.ts';

test('a journal that was cut off gives the lines that are whole', () => {
  const text =
    '{"type":"resume","at":1}\n{"type":"pair","com\n\nnull\n{"type":"end","at":2,"state":"found"}\n';
  assert.deepEqual(
    parseBisectJournal(text).map(({ type }) => type),
    ['resume', 'end'],
  );
});
