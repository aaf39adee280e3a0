import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addPiece,
  appendText,
  byteOf,
  findPlaces,
  hasByte,
  newSegment,
  readLine,
  utf8Length,
} from './log-segment.ts';

const piece = (from: number, text: string) => ({ from, text, next: from + Buffer.byteLength(text) });
const linesOf = ({ blocks, rest }: ReturnType<typeof newSegment>) => [
  ...blocks.flatMap(({ lines }) => lines),
  ...(rest ? [rest] : []),
];
const textsOf = (segment: ReturnType<typeof newSegment>) => linesOf(segment).map(({ text }) => text);

test('text that comes in pieces gives the lines of the whole, each with its byte', () => {
  const whole = 'one\ntwo €\r\n\u001b[31mthree\nfour';
  for (let cut = 0; cut <= whole.length; cut++) {
    const first = newSegment(piece(0, whole.slice(0, cut)));
    const both = appendText(first, { text: whole.slice(cut), next: Buffer.byteLength(whole) });
    assert.deepEqual(textsOf(both), ['one', 'two €', 'three', 'four'], `cut at ${cut}`);
    assert.deepEqual(
      linesOf(both).map(({ at }) => at),
      [0, 4, 13, 24],
    );
  }
});

test('blocks that are full stay the same when more comes', () => {
  const first = newSegment(piece(0, 'x\n'.repeat(450)));
  const more = appendText(first, { text: 'y\n'.repeat(300), next: 1500 });
  assert.deepEqual(
    more.blocks.map(({ first: place, lines }) => [place, lines.length]),
    [
      [0, 200],
      [200, 200],
      [400, 200],
      [600, 150],
    ],
  );
  assert.equal(more.blocks[1], first.blocks[1]);
  assert.equal(more.lineCount, 750);
});

test('a piece that closes a gap joins both sides, and a line that was cut is whole again', () => {
  const [head, tail] = [piece(0, 'a\nb'), piece(9, 'd\ne\n')];
  const two = addPiece([newSegment(head)], tail);
  assert.deepEqual(two.map(textsOf), [
    ['a', 'b'],
    ['d', 'e'],
  ]);
  const one = addPiece(two, piece(3, 'bb\nccd\nXX'));
  assert.deepEqual(one.map(textsOf), [['a', 'bbb', 'ccdd', 'e']]);
  assert.deepEqual([one[0]?.from, one[0]?.next], [0, 13]);
});

test('a piece in the middle stands alone, and one that is there changes nothing', () => {
  const segments = addPiece(addPiece([newSegment(piece(0, 'a\n'))], piece(100, 'z\n')), piece(50, 'm\n'));
  assert.deepEqual(
    segments.map(({ from }) => from),
    [0, 50, 100],
  );
  assert.equal(addPiece(segments, piece(50, 'm\n')), segments);
  assert.equal(addPiece(segments, piece(60, '')), segments);
});

test('lengths are those of UTF-8', () => {
  for (const text of ['', 'abc', 'é€😀', '\ufffd']) assert.equal(utf8Length(text), Buffer.byteLength(text));
});

const textOf = (raw: string) => readLine(raw, 0, []).line.text;

test('colours become parts with class names, and go on on the next line until they are ended', () => {
  const first = readLine('a \u001b[1;31mred', 0, []);
  assert.deepEqual(first.line.parts, [
    { text: 'a ', classes: '' },
    { text: 'red', classes: 'bold red' },
  ]);
  assert.deepEqual(readLine('still\u001b[0m plain', 0, first.style).line.parts, [
    { text: 'still', classes: 'bold red' },
    { text: ' plain', classes: '' },
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

const segments = [
  newSegment({ from: 0, next: 14, text: 'first\nERROR x\n' }),
  newSegment({ from: 90, next: 103, text: 'rest\nan error' }),
];

test('lines are found whatever the case, by number where they are counted, by byte where not', () => {
  assert.deepEqual(findPlaces(segments, 'Error'), ['2', 'b95']);
  assert.deepEqual(findPlaces(segments, ''), []);
});

test('a place that names a byte is distinguished from a line', () => {
  assert.equal(byteOf('b95'), 95);
  assert.equal(byteOf('12'), undefined);
  assert.equal(byteOf('b-1'), undefined);
  assert.deepEqual(
    [0, 13, 14, 95, 103].map((byte) => hasByte(segments, byte)),
    [true, true, false, true, false],
  );
});
