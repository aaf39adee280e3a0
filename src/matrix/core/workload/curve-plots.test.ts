import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { folderFiles } from '../../../../test/support/folder-files.ts';
import type { MatrixEntry } from '../../../formats/core/kpi/matrix-entry.ts';
import { parseWorkloadFile } from '../../config/workload/workload-file.ts';
import { toWorkload } from './to-workload.ts';

const work = mkdtempSync(join(tmpdir(), 'curves-'));
after(() => rmSync(work, { recursive: true }));

const workload = toWorkload(
  parseWorkloadFile(
    'ppo.yml',
    `name: ppo
fields:
  return: { file: progress.csv, curve: { x: TotalEnvSteps, y: Evaluation/AverageReturn }, unit: reward }
settings: { gather: [seed] }
labels: { algo: { type: text }, seed: { type: integer } }
kpis:
  final: { value: iqm(final(return)), help: h, unit: reward, better: higher }
  low: { value: iqm_low(final(return)), help: h, unit: reward, better: higher }
  area: { value: iqm(area(return)), help: h, unit: reward, better: higher }
  best: { value: max(best(return)), help: h, unit: reward, better: higher }
  seeds: { value: count(return), help: h, unit: count, ignored-for-regression: true }
`,
  ).workload,
);

/** A flat curve; every seed has its columns in another order and another length. */
async function entryOf(seed: number, height: number): Promise<MatrixEntry> {
  const dir = join(work, `seed_${seed}`);
  mkdirSync(dir);
  const rows = Array.from({ length: 10 + seed }, (_, i) =>
    seed % 2 ? `${height},${i * 100}` : `${i * 100},${height}`,
  );
  const header =
    seed % 2 ? 'Evaluation/AverageReturn,TotalEnvSteps' : 'TotalEnvSteps,Evaluation/AverageReturn';
  writeFileSync(join(dir, 'progress.csv'), [header, ...rows, ''].join('\r\n'));
  const importSettings = { algo: 'ppo', seed };
  const { fields, problems } = await workload.parseOnce(folderFiles(dir));
  const settings = workload.rewriteSettings?.(importSettings, fields) ?? {};
  return { location: dir, settings, importSettings, exitCode: 0, results: fields, problems };
}

const members = await Promise.all([1, 2, 3, 100].map((height, index) => entryOf(index + 1, height)));
const gathered: MatrixEntry = {
  location: work,
  settings: { algo: 'ppo', '@seed': '<all>' },
  importSettings: {},
  exitCode: null,
  results: {},
  problems: [],
  gathered: { keys: { '@seed': [1, 2, 3, 4] }, members },
};
const kpi = (name: string, entry: MatrixEntry) =>
  workload.kpis.find(({ definition }) => definition.name === name)?.value({}, entry);

test('a declared key is gathered over', () =>
  assert.deepEqual(members[0]?.settings, { algo: 'ppo', '@seed': 1 }));

test('KPIs of one seed are its own, those of gathered seeds the interquartile mean', () => {
  const [first] = members;
  assert.ok(first);
  assert.deepEqual(first.problems, []);
  assert.equal(kpi('final', first), 1);
  assert.equal(kpi('seeds', first), 1);
  assert.throws(() => kpi('low', first), { code: 'STATS_TOO_FEW_VALUES' });
  assert.equal(kpi('final', gathered), 2.5);
  assert.equal(kpi('area', gathered), 2.5);
  assert.equal(kpi('best', gathered), 100);
  assert.equal(kpi('seeds', gathered), 4);
  assert.ok(Number(kpi('low', gathered)) < 2.5);
});

test('the plot has a line with a band for the gathered entry, over the range that all seeds cover', () => {
  const [plot] = workload.plots;
  assert.equal(plot?.id, 'learning_curves_return');
  const [part] =
    plot?.draw({
      entries: [gathered],
      all: [gathered],
      settings: {},
      settingLists: [],
      variables: { algo: ['ppo'] },
      orderedVars: ['algo'],
      cfg: {},
    }) ?? [];
  assert.ok(part?.type === 'chart' && part.chart.type === 'lines');
  const [line] = part.chart.series;
  assert.equal(line?.name, 'algo=ppo');
  assert.deepEqual([line?.x[0], line?.x.at(-1)], [0, 1000]);
  assert.ok(line?.y.every((value) => value === 2.5));
  assert.ok(line?.low?.every((value) => value < 2.5) && line.high?.every((value) => value > 2.5));
  assert.deepEqual(part.chart.y, { label: 'Evaluation/AverageReturn', unit: 'reward' });
});
