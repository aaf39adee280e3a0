import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLine } from './log-line.ts';

const textOf = (raw: string) => readLine(raw, 0, []).line.text;

test('colours become parts with a look, and go on on the next line until they are ended', () => {
  const first = readLine('a \u001b[1;31mred', 0, []);
  assert.deepEqual(first.line.parts, [
    { text: 'a ', look: '' },
    { text: 'red', look: 'bold red' },
  ]);
  assert.deepEqual(readLine('still\u001b[0m plain', 0, first.style).line.parts, [
    { text: 'still', look: 'bold red' },
    { text: ' plain', look: '' },
  ]);
});

test('colours of many and cursor movements leave nothing', () => {
  assert.equal(
    textOf('\u001b[38;5;196mx\u001b[48;2;1;2;3my\u001b[2K\u001b[1Az\u001b]0;title\u0007!'),
    'xyz!',
  );
  assert.equal(readLine('\u001b[38;5;1mx', 0, []).line.parts, undefined);
});

test('of a progress line the last state is shown', () => {
  assert.equal(textOf('10 %\r50 %\r100 %'), '100 %');
  assert.equal(textOf('done\r'), 'done');
  assert.equal(textOf('kept\r\u001b[K'), 'kept');
  assert.equal(textOf('spin |\b/\b-'), 'spin -');
});

test('hostile characters are shown as what they are', () => {
  assert.equal(textOf('a\u0000b\u202ec\td\u001b'), 'a␀b\\u202ec\td␛');
  assert.equal(textOf('<script>'), '<script>');
});

test('a line of a megabyte is cut, and says so', () => {
  assert.match(textOf('x'.repeat(1_000_000)), /^x{20000} … 980000 more characters$/);
});

test('of a sequence that never ends the text stays', () => {
  assert.equal(textOf('\u001b]never ends'), 'never ends');
  assert.equal(textOf('\u001b]'.repeat(20_000)), '');
  assert.equal(textOf('\u001b[').length, 2);
});
