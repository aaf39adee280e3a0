import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { resvg as maker } from '../../src/charts/adapters/resvg.ts';

const drawing = (inside: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="120" height="40"><rect width="120" height="40" fill="#ffffff"/>${inside}</svg>`;

describe('picture maker resvg', async () => {
  const blank = await maker.png(drawing(''));

  test('1: the same drawing gives the same bytes, in the size of the drawing times the scale', async () => {
    const svg = drawing('<circle cx="20" cy="20" r="9" fill="#0072b2"/>');
    assert.deepEqual(await maker.png(svg), await maker.png(svg));
    assert.deepEqual(sizeOf(await maker.png(svg)), [120, 40]);
    assert.deepEqual(sizeOf(await maker.png(svg, { scale: 2 })), [240, 80]);
  });

  test('2: text is drawn, by the font that comes along', async () => {
    const text = await maker.png(
      drawing('<text x="5" y="25" font-family="DejaVu Sans" fill="#000000">Hello</text>'),
    );
    assert.ok(darkBytes(text) > 100, String(darkBytes(text)));
    // A family nobody has falls back to the same font: the words are still there.
    const other = await maker.png(
      drawing('<text x="5" y="25" font-family="No Such Font" fill="#000000">Hello</text>'),
    );
    assert.deepEqual(other, text);
  });

  test('3: a drawing cannot make it read a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'nightmark-picture-'));
    try {
      const black = await maker.png(
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
      );
      const file = join(folder, 'black.png');
      writeFileSync(file, black);
      for (const address of [file, `file://${file}`, 'http://127.0.0.1:9/black.png']) {
        const image = `<image x="0" y="0" width="99" height="40" href="${address}" xlink:href="${address}"/>`;
        assert.deepEqual(await maker.png(drawing(image)), blank, address);
        const named = image.replace('<image', '<s:image xmlns:s="http://www.w3.org/2000/svg"');
        assert.deepEqual(await maker.png(drawing(named)), blank, address);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('4: what is not SVG is an error with a hint', async () => {
    for (const text of ['', 'hello', '<svg xmlns="http://www.w3.org/2000/svg"><rect']) {
      await assert.rejects(maker.png(text), { name: 'NightmarkError', code: 'CHART_NOT_DRAWN' });
    }
  });
});

function sizeOf(png: Uint8Array): readonly number[] {
  const view = new DataView(png.buffer, png.byteOffset);
  return [view.getUint32(16), view.getUint32(20)];
}

/** Bytes of the picture that are neither white nor a filter mark: a white picture has next to none. */
function darkBytes(png: Uint8Array): number {
  const chunks: Uint8Array[] = [];
  const view = new DataView(png.buffer, png.byteOffset);
  for (let at = 8; at < png.length; at += view.getUint32(at) + 12) {
    const kind = String.fromCharCode(...png.subarray(at + 4, at + 8));
    if (kind === 'IDAT') chunks.push(png.subarray(at + 8, at + 8 + view.getUint32(at)));
  }
  return inflateSync(Buffer.concat(chunks)).filter((byte) => byte > 4 && byte < 251).length;
}
