import assert from 'node:assert/strict';
import { test } from 'node:test';
import { homeCsv } from './home-values.ts';
import type { HomeExperiment, HomeRow, HomeValues, HomeView } from './home-view.ts';

const experiment = (name: string, title: string) =>
  ({ name, title, state: 'succeeded' }) as unknown as HomeExperiment;
const row = (id: number, path: string, place: number): HomeRow => ({
  ...{ id, path: ['seconds', path], unit: 's', better: 'lower', experiment: place },
});

test('a table has every value of every page, and experiments without one', async () => {
  const view = {
    experiments: [experiment('sort', '=SUM(A1)'), experiment('bare', '\n')],
    rows: [row(1, 'quick', 0), row(2, 'slow', 0)],
  } as unknown as HomeView;
  const pages: readonly HomeValues[] = [
    { values: [{ id: 1, spark: [], value: -0.5, at: Date.UTC(2026, 0, 31) }] },
    { values: [{ id: 2, spark: [] }] },
  ];
  const lines: string[] = [];
  for await (const piece of homeCsv(view, async (page) => pages[page] ?? { values: [] })) lines.push(piece);
  assert.equal(
    lines.join(''),
    [
      'experiment,title,state,value,unit,newest,at,change,low,high,verdict',
      'bare,"\n",succeeded,,,,,,,,',
      `sort,'=SUM(A1),succeeded,seconds / quick,s,-0.5,2026-01-31T00:00:00.000Z,,,,`,
      `sort,'=SUM(A1),succeeded,seconds / slow,s,,,,,,`,
      '',
    ].join('\n'),
  );
});
