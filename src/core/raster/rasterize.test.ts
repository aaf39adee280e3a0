import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRasterizer } from './rasterize.ts';

const noFont = () => ({ unitsPerEm: 1000, glyph: () => undefined });
const rasterize = createRasterizer({ fonts: noFont });
const ROOT = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 12 8" width="12" height="8">';
const GROUND = '<rect width="12" height="8" fill="#ffffff"/>';
const drawing = (inside: string) => `${ROOT}${GROUND}${inside}</svg>`;
/** How dark each pixel of a row is, in sixteenths. */
const row = (inside: string, y: number) => {
  const sheet = rasterize(drawing(inside), 1);
  assert.ok(sheet);
  return Array.from(sheet.cells.subarray(y * 12, y * 12 + 12), (cell) =>
    Math.round((255 - ((sheet.colours[cell] ?? 0) & 255)) / 16),
  );
};

test('a pixel is as dark as it is covered', () => {
  const expected = [0, 0, 8, 16, 16, 4, 0, 0, 0, 0, 0, 0];
  assert.deepEqual(row('<rect x="2.5" y="2" width="2.75" height="3" fill="#000000"/>', 3), expected);
  assert.deepEqual(row('<path d="M2.5 2h2.75v3h-2.75z" fill="#000000"/>', 3), expected);
  assert.deepEqual(row('<path d="M2.5 2H5.25V5H2.5z" fill="#000000"/>', 3), expected);
  assert.deepEqual(row('<path d="M2.5 3.5H5.25" stroke="#000000"/>', 3), expected);
  assert.deepEqual(
    row('<path d="M2 2L6 2L6 6z" fill="#000000"/>', 3),
    [0, 0, 0, 8, 16, 16, 0, 0, 0, 0, 0, 0],
  );
});

test('lines have the width of their pen, corners and dashes', () => {
  const slanted = row('<path d="M2 0L10 8" stroke="#000000" stroke-width="2" fill="none"/>', 4);
  const total = slanted.reduce((sum, level) => sum + level, 0) / 16;
  assert.ok(Math.abs(total - 2 * Math.SQRT2) < 0.1, String(slanted));
  const dashes = row('<path d="M0 2.5H12" stroke="#000000" stroke-dasharray="3 2"/>', 2);
  assert.deepEqual(dashes, [16, 16, 16, 0, 0, 16, 16, 16, 0, 0, 16, 16]);
});

test('what lies partly beside the picture is drawn as far as it is in it', () => {
  assert.deepEqual(
    row('<path d="M-5 -5H3V5H-5z" fill="#000000"/>', 0),
    [16, 16, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  );
  assert.deepEqual(row('<path d="M9 0L20 0L20 4L9 4z" fill="#000000"/>', 1).slice(8), [0, 16, 16, 16]);
});

test('what shines through is mixed, and parts of one shape that overlap count once', () => {
  const twice = '<path d="M0 0H8V8H0zM4 0H12V8H4z" fill="#000000" fill-opacity="0.5"/>';
  assert.deepEqual(new Set(row(twice, 3)), new Set([8]));
});

const OTHERS: readonly string[] = [
  '',
  'hello',
  ROOT,
  `${ROOT}${GROUND}`,
  `${ROOT}</svg>`,
  `${ROOT}${GROUND}</g></svg>`,
  `${drawing('')}<svg/>`,
  `${ROOT.replace(' xmlns="http://www.w3.org/2000/svg"', '') + GROUND}</svg>`,
  `${ROOT}${GROUND.replace('#ffffff', 'none')}</svg>`,
  ...[
    '<circle cx="2" cy="2" r="2"/>',
    '<image href="/etc/passwd" width="9" height="9"/>',
    '<style>rect{fill:red}</style>',
    '<g><path d="M0 0H9"/>',
    '<g opacity="0.5"></g>',
    '<g transform="scale(2)"></g>',
    '<rect width="9" height="9" fill="url(#a)"/>',
    '<rect width="9" height="9" fill="red"/>',
    '<rect width="9" height="9" width="3"/>',
    '<rect width="9" height="9" rx="3"/>',
    '<rect width="1e3" height="9"/>',
    '<rect width="9" height="9" fill="#000000" fill-opacity="2"/>',
    '<path d="M0 0C1 1 2 2 3 3" stroke="#000000"/>',
    '<path d="M0 0L1e9 5L7 7z" fill="#000000"/>',
    '<path d="M0 0L99999999 5L7 7z" fill="#000000"/>',
    '<path d="L5 5 7 7" stroke="#000000"/>',
    '<path d="M0 0L5 5L5 0" stroke="#000000"/>',
    '<path d="M0 0L5 5L5 0z" stroke="#000000" stroke-linejoin="round"/>',
    '<path d="M0 0L5 5" stroke="#000000" stroke-dasharray="0.001 0.001"/>',
    '<path d="M0 0a5 3 0 1 0 10 0z" fill="#000000"/>',
    '<text x="1" y="5">a</text>',
    '<text x="1" y="5">\u0628</text>',
    '<text x="1" y="5"><tspan>a</tspan></text>',
    '<title>&unknown;</title>',
    '<title>\u0001</title>',
    '<title>&#0;&#00;</title>',
    '<!-- a comment -->',
    'words',
  ].map(drawing),
];

test('whatever is not written as our charts are is left to another', () => {
  for (const svg of OTHERS) assert.equal(rasterize(svg, 1), undefined, svg);
  assert.equal(rasterize(drawing(''), 100_000), undefined);
  assert.equal(rasterize(drawing(''), 0.01), undefined);
  assert.ok(rasterize(drawing('<g class="a"><title>&#60;b&amp;</title></g>'), 1));
});
