import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fonts } from '../src/adapters/pictures/resvg/fonts.ts';
import { packLetters } from '../src/core/raster/pack-letters.ts';
import { createRasterizer } from '../src/core/raster/rasterize.ts';
import { ReadyLetters } from '../src/core/raster/ready-letters.ts';
import { SAMPLE_DRAWINGS } from './support/sample-charts.ts';

const packed = packLetters(fonts);
const ready = new ReadyLetters(packed);
const drawn = createRasterizer({ fonts });
const withReady = createRasterizer({ fonts, ready: () => ready });

for (const [name, svg] of Object.entries(SAMPLE_DRAWINGS)) {
  test(`${name}: letters that were drawn before are the same, pixel for pixel`, () => {
    for (const scale of [1, 2]) {
      const expected = drawn(svg, scale);
      const found = withReady(svg, scale);
      assert.ok(expected && found);
      assert.deepEqual(found.colours, expected.colours);
      assert.deepEqual(found.cells, expected.cells);
    }
  });
}

test('a usual chart is drawn without a font', () => {
  const noFont = () => assert.fail('a font was opened');
  const rasterize = createRasterizer({ fonts: noFont, ready: () => ready });
  for (const name of ['bars', 'lines']) assert.ok(rasterize(SAMPLE_DRAWINGS[name] ?? '', 1), name);
});

test('the program has them, as they are drawn now', () => {
  const built = readFileSync(join(process.cwd(), 'dist/src/adapters/pictures/resvg/letters.bin'));
  assert.deepEqual(new Uint8Array(built), packed);
});

test('what is not whole, or of a machine that orders bytes in another way, is refused', () => {
  assert.throws(() => new ReadyLetters(packed.slice(0, packed.length - 1)), RangeError);
  assert.throws(() => new ReadyLetters(new Uint8Array(10)), RangeError);
  assert.throws(
    () => new ReadyLetters(new Uint8Array(Buffer.from(packed.slice(0, packed.length & ~3)).swap32())),
    RangeError,
  );
});
