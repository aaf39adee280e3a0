import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ChangeList } from '../../src/judge/app/changes/list-changes.ts';
import { runInProcess } from '../support/in-process.ts';

const experiment = (name: string, run: string, more = '') => `  ${name}:
    run: ${run}
    telemetry: false
    results: {format: json, value: [a, b], unit: s, better: lower}
${more}`;

test('an experiment that stays away is reported once, and once when it is back; one that is switched off is not', async (t) => {
  const home = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'nightmark-absent-')));
  t.after(() => fs.rmSync(home, { recursive: true, force: true }));
  fs.writeFileSync(join(home, 'values'), '{"a": 1, "b": 2}');
  const removed = join(home, 'results/experiments/data/removed');
  fs.mkdirSync(removed, { recursive: true });
  for (let day = 1; day <= 5; day++)
    fs.writeFileSync(join(removed, `data_01-0${day}-2024-0300.json`), '{"a": 1, "b": 2, "c": 3}');
  const night = async (weak: string, isOff = false) => {
    const tasks = [
      experiment('steady', 'cat values'),
      experiment('weak', weak),
      experiment('off', isOff ? 'exit 1' : 'cat values', isOff ? '    active: false\n' : ''),
    ];
    const text = `backups: {before: false, after: false}\nexperiments:\n${tasks.join('')}`;
    fs.writeFileSync(join(home, 'nightmark.yml'), text);
    const { stdout } = await runInProcess(['run', home, '--progress', 'none']);
    return stdout.split('\n').filter((line) => /has no results|is back/.test(line));
  };
  const list = async () => JSON.parse((await runInProcess(['changes', home, '--json'])).stdout) as ChangeList;

  const told = [await night('cat values'), await night('cat values')];
  for (let nights = 0; nights < 4; nights++) told.push(await night('exit 1', true));
  assert.deepEqual(
    told.map((lines) => lines.length),
    [0, 0, 1, 0, 1, 0],
    told.flat().join('\n'),
  );
  assert.deepEqual(told[2], ['experiment removed has no results since 2024-01-05: 3 series.']);
  assert.match(told[4]?.[0] ?? '', /^experiment weak has no results since \d{4}-\d\d-\d\d: 2 series\.$/);
  const { absences } = await list();
  assert.deepEqual(
    absences.map(({ series, count }) => [series, count]),
    [
      [{ kind: 'experiment', experiment: 'weak' }, 2],
      [{ kind: 'experiment', experiment: 'removed' }, 3],
    ],
  );
  assert.match(
    (await runInProcess(['changes', home])).stdout,
    / experiment removed has no results since 2024-01-05/,
  );

  assert.deepEqual(await night('cat values', true), ['experiment weak is back.']);
  assert.equal((await list()).absences.length, 1);
  fs.rmSync(join(home, '.nightmark/index.db'));
  assert.equal((await list()).absences.length, 1, 'the ledger knows it');
});
