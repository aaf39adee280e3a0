import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLines } from './read-lines.ts';

async function linesOf(pieces: readonly string[], maxBytes = 100) {
  let cut = 0;
  async function* chunks() {
    for (const piece of pieces) yield new Uint8Array(Buffer.from(piece, 'latin1'));
  }
  const lines: string[] = [];
  for await (const line of readLines(chunks(), maxBytes, () => cut++)) lines.push(line);
  return { lines, cut };
}

test('lines go on from piece to piece, without their ends', async () => {
  const { lines } = await linesOf(['one\r\ntw', 'o\n', '\nthr', 'e', 'e']);
  assert.deepEqual(lines, ['one', 'two', '', 'three']);
});

test('a character that is split between pieces stays whole', async () => {
  const text = Buffer.from('käse\n€', 'utf8').toString('latin1');
  for (let at = 1; at < text.length; at++) {
    assert.deepEqual((await linesOf([text.slice(0, at), text.slice(at)])).lines, ['käse', '€']);
  }
});

test('a line without end is cut and reported, and the next one is read', async () => {
  const { lines, cut } = await linesOf(['a'.repeat(8), 'a'.repeat(8), 'a'.repeat(8), '\nnext\n'], 10);
  assert.deepEqual(lines, ['a'.repeat(10), 'next']);
  assert.equal(cut, 1);
});
