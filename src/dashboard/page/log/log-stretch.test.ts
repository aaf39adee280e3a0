import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addPiece, appendText, newStretch, utf8Length } from './log-stretch.ts';

const piece = (from: number, text: string) => ({ from, text, next: from + Buffer.byteLength(text) });
const linesOf = ({ blocks, rest }: ReturnType<typeof newStretch>) => [
  ...blocks.flatMap(({ lines }) => lines),
  ...(rest ? [rest] : []),
];
const textsOf = (stretch: ReturnType<typeof newStretch>) => linesOf(stretch).map(({ text }) => text);

test('text that comes in pieces gives the lines of the whole, each with its byte', () => {
  const whole = 'one\ntwo €\r\n\u001b[31mthree\nfour';
  for (let cut = 0; cut <= whole.length; cut++) {
    const first = newStretch(piece(0, whole.slice(0, cut)));
    const both = appendText(first, { text: whole.slice(cut), next: Buffer.byteLength(whole) });
    assert.deepEqual(textsOf(both), ['one', 'two €', 'three', 'four'], `cut at ${cut}`);
    assert.deepEqual(
      linesOf(both).map(({ at }) => at),
      [0, 4, 13, 24],
    );
  }
});

test('blocks that are full stay the same when more comes', () => {
  const first = newStretch(piece(0, 'x\n'.repeat(450)));
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
  const two = addPiece([newStretch(head)], tail);
  assert.deepEqual(two.map(textsOf), [
    ['a', 'b'],
    ['d', 'e'],
  ]);
  const one = addPiece(two, piece(3, 'bb\nccd\nXX'));
  assert.deepEqual(one.map(textsOf), [['a', 'bbb', 'ccdd', 'e']]);
  assert.deepEqual([one[0]?.from, one[0]?.next], [0, 13]);
});

test('a piece in the middle stands alone, and one that is there changes nothing', () => {
  const stretches = addPiece(addPiece([newStretch(piece(0, 'a\n'))], piece(100, 'z\n')), piece(50, 'm\n'));
  assert.deepEqual(
    stretches.map(({ from }) => from),
    [0, 50, 100],
  );
  assert.equal(addPiece(stretches, piece(50, 'm\n')), stretches);
  assert.equal(addPiece(stretches, piece(60, '')), stretches);
});

test('lengths are those of UTF-8', () => {
  for (const text of ['', 'abc', 'é€😀', '\ufffd']) assert.equal(utf8Length(text), Buffer.byteLength(text));
});
