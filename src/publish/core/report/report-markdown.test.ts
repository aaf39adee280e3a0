import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LineChart } from '../../../charts/core/chart.ts';
import { heading, sentence, table } from './report-document.ts';
import { reportMarkdown } from './report-markdown.ts';

const CHART: LineChart = {
  type: 'lines',
  title: 'a|b',
  x: { label: 'x' },
  y: { label: 'y' },
  series: [{ name: 's', x: [0, 1, 2], y: [1, Number.NaN, 9] }],
};

test('tables, links and charts become Markdown in which nothing of the results is markup', () => {
  const parts = [
    heading(1, '<b>x</b>'),
    sentence('@everyone *look*'),
    table({
      columns: ['name', 'value>'],
      rows: [
        [{ text: 'a|b`', link: 'https://example.org/?a=1' }, '1'],
        [
          { text: 'bad', link: 'javascript:alert(1)' },
          { text: '', spark: [1, null, 2] },
        ],
        ['left out', '3'],
      ],
      most: 2,
    }),
    { type: 'chart', chart: CHART } as const,
  ];
  assert.equal(
    reportMarkdown({ title: 't', parts }, [{ png: 'c/f.png', svg: 'c/f.svg' }]),
    `# \\<b\\>x\\</b\\>

@\u200beveryone \\*look\\*

| name | value |
|---|---:|
| [a\\|b\\\`](https://example.org/?a=1) | 1 |
| bad | ▁ █ |

and 1 more row that is not shown

[![a\\|b](c/f.png)](c/f.svg)
`,
  );
});

test('without files a chart of lines is a line of letters', () => {
  assert.equal(reportMarkdown({ title: 't', parts: [{ type: 'chart', chart: CHART }] }, []), 'a\\|b: ▁ █\n');
});
