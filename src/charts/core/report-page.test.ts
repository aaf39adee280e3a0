import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { filterFolder, plotFileName } from '../../matrix/core/plots/report-index.ts';
import type { Chart, PlotPart } from './chart.ts';
import { reportPage } from './report-page.ts';

const HOSTILE = `<script>alert('x')</script>`;

test('everything in a report is text, whatever it looks like', () => {
  const chart: Chart = {
    type: 'bars',
    title: HOSTILE,
    x: { label: HOSTILE, scale: 'category', categories: [HOSTILE] },
    y: { label: HOSTILE },
    series: [{ name: HOSTILE, values: [1] }],
  };
  const parts: PlotPart[] = [
    { type: 'heading', level: 1, text: HOSTILE },
    { type: 'text', text: HOSTILE },
    { type: 'links', links: [{ text: HOSTILE, url: 'https://example.invalid/?a="b"' }] },
    { type: 'links', links: [{ text: 'run', url: 'javascript:alert(1)' }] },
    { type: 'chart', chart },
  ];
  const { page, failures } = reportPage(HOSTILE, parts, ['a b_files/fig_0.html']);
  assert.deepEqual(failures, []);
  assert.ok(!page.includes('<script'));
  assert.ok(page.includes('<h1>&#60;script&#62;'));
  assert.ok(page.includes('<a href="https://example.invalid/?a=&#34;b&#34;" rel="noopener noreferrer">'));
  assert.ok(page.includes('<li>run: javascript:alert(1)</li>'));
  assert.ok(page.includes('<a href="a%20b_files/fig_0.html">'));
  assert.match(page, /Content-Security-Policy" content="default-src 'none'; style-src 'sha256-[^"]*"/);
});

test('a part that cannot be drawn is named in its place, and the others are there', () => {
  const broken = { type: 'chart', chart: { type: 'pie', title: 'p' } } as unknown as PlotPart;
  const odd = { type: 'video' } as unknown as PlotPart;
  const parts: PlotPart[] = [{ type: 'text', text: 'before' }, broken, odd, { type: 'text', text: 'after' }];
  const { page, failures } = reportPage('r', parts, []);
  assert.equal(failures.length, 2);
  assert.match(failures[1] ?? '', /a part of the type "video" is unknown/);
  assert.match(page, /<p>before<\/p>[\s\S]*<p role="alert">figure 1 could not be drawn[\s\S]*<p>after<\/p>/);
});

test('names on disk lead nowhere else', () => {
  assert.equal(filterFolder('model=m1,users=4:16'), 'model=m1,users=4:16');
  assert.equal(filterFolder('k=../../etc'), 'k=.._.._etc');
  assert.equal(filterFolder('..'), '_..');
  const plot = { id: '../x y', name: '', isReport: true, draw: () => [] };
  assert.equal(plotFileName(plot, 7), 'report_07_.._x_y');
});

test('every style of the page is allowed by its hash, and nothing else', () => {
  const { page } = reportPage('r', [{ type: 'text', text: 'x' }], []);
  const [, policy = ''] = /Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
  const styles = [...page.matchAll(/<style>([^<]*)<\/style>/g)].map(([, style = '']) => style);
  assert.equal(styles.length, 3);
  for (const style of styles) {
    const hash = createHash('sha256').update(style).digest('base64');
    assert.ok(policy.includes(`'sha256-${hash}'`), `the policy needs sha256-${hash}`);
  }
  assert.ok(!policy.includes('unsafe'));
});

test('earlier values are a small line in their cell', () => {
  const { page } = reportPage(
    'r',
    [
      {
        type: 'chart',
        chart: {
          type: 'table',
          title: '',
          columns: [{ name: 'last' }],
          rows: [[{ text: '', spark: [1, 2, null, 3] }], [{ text: 'none', spark: [null] }]],
        },
      },
    ],
    [],
  );
  assert.match(page, /<td><svg [^>]*aria-hidden="true"><path d="M2 18L30.7 10M88 2h1"/);
  assert.match(page, /<td>none<\/td>/);
});
