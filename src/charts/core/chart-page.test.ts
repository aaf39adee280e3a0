import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { Chart } from './chart.ts';
import { chartPage } from './chart-page.ts';

const LINES: Chart = {
  type: 'lines',
  title: 'Latency </title><script>alert(1)</script>',
  x: { label: 'users' },
  y: { label: 'latency', unit: 's' },
  series: [{ name: '</script><script>alert(2)</script>', x: [1, 2], y: [0.01, 0.02] }],
};

test('the page allows exactly its own script and styles', () => {
  const page = chartPage(LINES);
  const [, policy = ''] = /Content-Security-Policy" content="([^"]+)"/.exec(page) ?? [];
  assert.match(policy, /^default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe/);
  const inline = [...page.matchAll(/<(script|style)>([\s\S]*?)<\/\1>/g)];
  assert.deepEqual(
    inline.map(([, kind]) => kind),
    ['style', 'style', 'style', 'script'],
  );
  for (const [, kind, text = ''] of inline) {
    const hash = createHash('sha256').update(text).digest('base64');
    assert.ok(policy.includes(`'sha256-${hash}'`), `${kind} needs sha256-${hash}`);
  }
});

test('names from results neither end an element nor begin one', () => {
  const page = chartPage(LINES);
  assert.equal(page.match(/<script/g)?.length, 2);
  assert.doesNotMatch(page, /alert\(1\)<\/script>/);
});

test('every mark reports its series and value', () => {
  const [, json = ''] = /id="nm-hits">([^<]*)</.exec(chartPage(LINES)) ?? [];
  const hits = JSON.parse(json) as [number, number, string, string][];
  assert.deepEqual(
    hits.map(([, , key, text]) => [key, text.split('\n')[1]]),
    [
      ['0:0', '1: 10.0\u202fms'],
      ['0:0', '2: 20.0\u202fms'],
    ],
  );
});

test('a table is a table, and only web addresses are links', () => {
  const page = chartPage({
    type: 'table',
    title: 'KPIs',
    columns: [{ name: 'test' }, { name: 'value', align: 'right' }],
    rows: [
      [
        { text: 'a<b', link: 'https://example.org/?a=1&b=2' },
        { text: '1', tone: 1 },
      ],
      [
        { text: 'c', link: 'javascript:alert(1)' },
        { text: '2', tone: -0.5 },
      ],
    ],
  });
  assert.match(page, /<a href="https:\/\/example.org\/\?a=1&#38;b=2" rel="noopener noreferrer">a&#60;b<\/a>/);
  assert.doesNotMatch(page, /javascript:/);
  assert.match(page, /<td class="nm-right nm-better">1<\/td>/);
});
