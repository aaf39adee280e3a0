import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import resvg from '../src/adapters/pictures/resvg/index.ts';
import { renderPng } from '../src/adapters/pictures/resvg/render-png.ts';
import { readPng } from './support/read-png.ts';
import { SAMPLE_DRAWINGS } from './support/sample-charts.ts';

/** Of 255. Letters stand at quarters of a pixel, and cover is told in sixteenths: edges differ a little. */
const MAX_MEAN = 1.5;
/** Where every pixel has several lines, those that cover it in part add up to more than they cover together. */
const MAX_MEAN_OF_NOISE = 7;
/** Of a square of 8 by 8 pixels: one that lacks a mark differs by more. */
const MAX_BLOCK = 25;
const BLOCK = 8;
/** Drawn for sharp screens too. */
const TWICE = new Set(['bars', 'lines', 'a file with large text', 'another size']);
/** Where to leave pictures for somebody to look at. */
const KEEP = process.env['NIGHTMARK_KEEP_PICTURES'];

for (const [name, svg] of Object.entries(SAMPLE_DRAWINGS)) {
  for (const scale of TWICE.has(name) ? [1, 2] : [1]) {
    test(`${name}: drawn by our own hand as resvg draws it, ${scale} pixels for one`, async () => {
      const [png, other] = [await resvg.png(svg, { scale }), await renderPng(svg, { scale })];
      if (KEEP) keep(KEEP, `${name.replaceAll(' ', '-')}-${scale}`, [png, other]);
      const [ours, theirs] = [readPng(png), readPng(other)];
      assert.ok(ours.colourType !== 6 && theirs.colourType === 6, 'it was drawn by resvg');
      assert.deepEqual([ours.width, ours.height], [theirs.width, theirs.height]);
      const { mean, worst, at } = difference(ours, theirs);
      assert.ok(
        mean < (name === 'noise' ? MAX_MEAN_OF_NOISE : MAX_MEAN),
        `differs by ${mean.toFixed(2)} on average`,
      );
      assert.ok(
        worst < (name === 'noise' ? 2 * MAX_BLOCK : MAX_BLOCK),
        `differs by ${worst.toFixed(1)} around ${at}`,
      );
    });
  }
}

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

function difference({ width, height, rgb }: Picture, other: Picture) {
  const across = Math.ceil(width / BLOCK);
  const blocks = new Float64Array(across * Math.ceil(height / BLOCK));
  let sum = 0;
  for (let at = 0; at < rgb.length; at++) {
    const pixel = Math.floor(at / 3);
    const by = Math.abs((rgb[at] ?? 0) - (other.rgb[at] ?? 0));
    sum += by;
    const block =
      Math.floor(Math.floor(pixel / width) / BLOCK) * across + Math.floor((pixel % width) / BLOCK);
    blocks[block] = (blocks[block] ?? 0) + by / (BLOCK * BLOCK * 3);
  }
  const worst = blocks.reduce((a, b) => Math.max(a, b), 0);
  const place = blocks.indexOf(worst);
  const at = `${(place % across) * BLOCK}, ${Math.floor(place / across) * BLOCK}`;
  return { mean: sum / rgb.length, worst, at };
}

function keep(folder: string, name: string, [ours, theirs]: readonly [Uint8Array, Uint8Array]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/${name}-ours.png`, ours);
  writeFileSync(`${folder}/${name}-resvg.png`, theirs);
}
