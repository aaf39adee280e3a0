import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resvg } from '../src/charts/adapters/resvg.ts';
import { SAMPLE_DRAWINGS } from './support/sample-charts.ts';

for (const [name, svg] of Object.entries(SAMPLE_DRAWINGS)) {
  test(`${name}: a picture in the size of the drawing, with its marks and its texts`, async () => {
    const [, width, height] = /<svg [^>]*?width="([\d.]+)" height="([\d.]+)"/.exec(svg) ?? [];
    for (const scale of [1, 2]) {
      const png = Buffer.from(await resvg.png(svg, { scale }));
      assert.deepEqual(
        [png.readUInt32BE(16), png.readUInt32BE(20)],
        [Math.round(Number(width) * scale), Math.round(Number(height) * scale)],
      );
    }
    const whole = await resvg.png(svg);
    const withoutTexts = svg.replaceAll(/<text\b.*?<\/text>/g, '');
    const withoutMarks = svg.replaceAll(/<(?:path|circle|line)\b[^>]*>/g, '');
    assert.notEqual(withoutTexts, svg);
    assert.notDeepEqual(await resvg.png(withoutTexts), whole, 'its texts are not seen');
    if (withoutMarks !== svg)
      assert.notDeepEqual(await resvg.png(withoutMarks), whole, 'its marks are not seen');
  });
}

test('the small font draws as the whole one does', async () => {
  const letters = [
    ...[...range(0x21, 0x17f), ...range(0x391, 0x3c9), ...range(0x2010, 0x2044), ...range(0x2190, 0x2193)],
    ...['\u2212', '\u221e', '\u2248', '\u2264', '\u2265'],
  ];
  assert.ok(letters.length > 400);
  const rows = letters.join('').match(/.{1,40}/gu) ?? [];
  const texts = rows.flatMap((row, index) =>
    [400, 700].map((weight, half) => text(row, 9, index * 40 + half * 20 + 18, weight)),
  );
  const drawing = (inside: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="${rows.length * 40}">${inside}${texts.join('')}</svg>`;
  const small = await resvg.png(drawing(''));
  assert.notDeepEqual(await resvg.png(drawing(text('a', 800, 20))), small);
  // A letter that the small font lacks, outside of the picture: now the whole one draws.
  assert.deepEqual(await resvg.png(drawing(text('Ж', -900, 20))), small);
  const [letter, numbered, missing] = await Promise.all(
    ['Ж', '&#1046;', '\u0378'].map((one) => resvg.png(drawing(text(one, 800, 20)))),
  );
  assert.deepEqual(numbered, letter);
  assert.notDeepEqual(missing, letter);
});

function text(letters: string, x: number, y: number, weight = 400): string {
  return `<text x="${x}" y="${y}" font-size="14" font-weight="${weight}">${letters}</text>`;
}

/** Letters that stand alone and need no escape. */
function range(from: number, to: number): readonly string[] {
  const all = Array.from({ length: to - from + 1 }, (_, index) => String.fromCharCode(from + index));
  return all.filter((letter) => /[^\p{M}\p{C}\p{Z}&<]/u.test(letter));
}
