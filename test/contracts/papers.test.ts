import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { chartSvg } from '../../src/core/charts/chart-svg.ts';
import type { PaperMaker } from '../../src/core/ports/paper-maker.ts';

const page = (inside: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200" fill="#ffffff"/>${inside}</svg>`;
const text = (words: string, more = '') =>
  `<text x="20" y="40" fill="#112233" font-size="10"${more}>${words}</text>`;

for (const id of readdirSync('src/adapters/papers')) {
  describe(`paper maker ${id}`, async () => {
    const { default: maker } = (await import(`../../src/adapters/papers/${id}/index.js`)) as {
      default: PaperMaker;
    };
    const paper = async (...pages: readonly string[]) =>
      Buffer.from(await maker.paper(pages, { title: 'A title' }));

    test('1: the same pages give the same bytes, in the size of their drawings', async () => {
      const pages = [page(text('one')), page('').replaceAll('300', '400')];
      const file = await paper(...pages);
      assert.deepEqual(await paper(...pages), file);
      assert.deepEqual(
        [...file.toString('latin1').matchAll(/\/MediaBox \[([^\]]*)\]/g)].map(([, box]) => box),
        ['0 0 300 200', '0 0 400 200'],
      );
      assert.equal(placesAreTrue(file), true);
    });

    test('2: text is text, with its own font, also where it is turned or beyond ASCII', async () => {
      const file = await paper(
        page(
          text('Hello &#60;b&#62; Äé µs') +
            text('bold', ' font-weight="600"') +
            text('turned', ' transform="rotate(-90 20 40)"'),
        ),
      );
      assert.deepEqual(textsOf(file), ['Hello <b> Äé µs', 'bold', 'turned']);
      assert.equal(file.toString('latin1').match(/\/FontFile2 /g)?.length, 2);
      assert.ok(file.length < 60_000, `only letters that occur are put in: ${file.length} bytes`);
      // A letter that the font has not is a box, and reads as what could not be read.
      assert.deepEqual(textsOf(await paper(page(text('日本')))), ['\ufffd\ufffd']);
    });

    test('3: it reads no files, runs nothing, and links lead to web addresses', async () => {
      const hostile = `<image href="file:///etc/passwd" width="9" height="9"/><script>alert(1)</script><a href="javascript:alert(1)">${text('a')}</a><a href="https://example.org/)/x?a=1&#38;b=\u00fc">${text('b')}</a>`;
      const file = (await paper(page(hostile))).toString('latin1');
      assert.doesNotMatch(file, /passwd|JavaScript|\/JS|alert/);
      assert.deepEqual(
        [...file.matchAll(/\/URI \((.*?)\) >>/g)].map(([, address]) => address),
        ['https://example.org/\\)/x?a=1&b=%C3%BC'],
      );
    });

    test('4: what is not SVG is an error with a hint', async () => {
      for (const broken of [
        '',
        'hello',
        '<svg width="9" height="9"><g></svg>',
        '<svg></svg>',
        page('<rect width="3"'),
      ])
        await assert.rejects(paper(broken), { name: 'NightmarkError', code: 'REPORT_NOT_PRINTED' }, broken);
    });

    test('charts of every kind can be on a page', async () => {
      const axis = { label: 'x', scale: 'category', categories: ['p', 'q'] } as const;
      const y = { label: 'y', unit: 's' };
      const band = { low: [0.5, 1.5], high: [1.5, 2.5], hasMarkers: true };
      for (const chart of [
        {
          type: 'lines',
          title: 't',
          x: { label: 'x' },
          y,
          series: [{ name: 'a', x: [0, 1], y: [1, 2], ...band }],
        },
        { type: 'bars', title: 't', x: axis, y, series: [{ name: 'a', values: [1, 2] }] },
        {
          type: 'box',
          title: 't',
          x: axis,
          y,
          series: [
            {
              name: 'a',
              values: [
                [1, 2, 3],
                [4, 5, 9],
              ],
            },
          ],
        },
        { type: 'scatter', title: 't', x: { label: 'x' }, y, series: [{ name: 'a', x: [0, 1], y: [1, 2] }] },
        {
          type: 'heatmap',
          title: 't',
          x: axis,
          y: axis,
          value: y,
          values: [
            [1, 2],
            [3, 4],
          ],
        },
      ] as const) {
        const svg = chartSvg(chart, { theme: 'light', width: 400, height: 300 });
        assert.ok(textsOf(await paper(svg)).includes('t'), chart.type);
      }
    });
  });
}

function streamsOf(file: Buffer): readonly string[] {
  const found: string[] = [];
  for (let at = file.indexOf('\nstream\n'); at >= 0; at = file.indexOf('\nstream\n', at + 1)) {
    found.push(inflateSync(file.subarray(at + 8, file.indexOf('\nendstream', at))).toString('latin1'));
  }
  return found;
}

/** What a reader's search finds: glyphs, by the map that each font brings. */
function textsOf(file: Buffer): readonly string[] {
  const streams = streamsOf(file);
  const maps = streams
    .filter((stream) => stream.includes('beginbfchar'))
    .map(
      (stream) =>
        new Map([...stream.matchAll(/^<(\w{4})> <(\w+)>$/gm)].map(([, glyph, code]) => [glyph, code])),
    );
  const fontKeys = [
    ...(/\/Font << (.*?) >>/.exec(file.toString('latin1'))?.[1] ?? '').matchAll(/\/(F\d)/g),
  ].map(([, key]) => key);
  return streams.flatMap((stream) =>
    [...stream.matchAll(/\/(F\d) [^<]*<(\w+)> Tj/g)].map(([, key, hex = '']) => {
      const map = maps[fontKeys.indexOf(key)];
      return (hex.match(/.{4}/g) ?? [])
        .map((glyph) =>
          Buffer.from(map?.get(glyph) ?? '', 'hex')
            .swap16()
            .toString('utf16le'),
        )
        .join('');
    }),
  );
}

/** Whether each object lies where the table at the end says. */
function placesAreTrue(file: Buffer): boolean {
  const whole = file.toString('latin1');
  const table = whole.slice(Number(/startxref\n(\d+)/.exec(whole)?.[1]));
  const places = [...table.matchAll(/^(\d{10}) 00000 n/gm)].map(([, place]) => Number(place));
  return places.length > 3 && places.every((place, index) => whole.startsWith(`${index + 1} 0 obj\n`, place));
}
