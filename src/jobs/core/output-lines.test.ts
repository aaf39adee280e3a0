import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutputLines } from './output-lines.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const lines = () => new OutputLines(2, () => new TextDecoder());
const texts = (entries: readonly { readonly message: string }[]) => entries.map(({ message }) => message);

test('a line is an entry, blank ones are none, errors are marked', () => {
  const output = lines();
  output.add('stdout', bytes('one\n\n  two  \nthr'), 5);
  output.add('stderr', bytes('oops\n'), 6);
  assert.deepEqual(output.take(), [
    { worker: 2, type: 'info', message: 'one', time: 5 },
    { worker: 2, type: 'info', message: '  two', time: 5 },
    { worker: 2, type: 'error', message: 'oops', time: 6 },
  ]);
  output.add('stdout', bytes('ee\n'), 7);
  assert.deepEqual(texts(output.finish(8)), ['three']);
});

test('a letter may be cut in two', () => {
  const output = lines();
  for (const byte of bytes('naïve ü\n')) output.add('stdout', Uint8Array.of(byte), 0);
  assert.deepEqual(texts(output.take()), ['naïve ü']);
});

test('of a progress bar the last state counts', () => {
  const output = lines();
  for (let at = 0; at <= 100; at++) output.add('stderr', bytes(`\r${at}%`), 0);
  assert.equal(output.length, 0);
  assert.deepEqual(texts(output.finish(1)), ['100%']);
  output.add('stdout', bytes('5%\r50%\r\n'), 0);
  assert.deepEqual(texts(output.take()), ['50%']);
});

test('a line without end is cut, and nothing of it is lost', () => {
  const output = lines();
  const text = Array.from({ length: 50_000 }, (_, at) => String(at % 10)).join('');
  output.add('stdout', bytes(text), 0);
  assert.equal(texts(output.finish(1)).join(''), text);
});
