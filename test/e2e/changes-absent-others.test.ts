import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { ChangeList } from '../../src/judge/app/changes/list-changes.ts';
import { runInProcess } from '../support/in-process.ts';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 1, 3);

function newHome(t: TestContext) {
  const dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'nightmark-absent-others-')));
  t.after(() => fs.rmSync(dir, { recursive: true, force: true }));
  const home = join(dir, 'home');
  fs.mkdirSync(home);
  fs.writeFileSync(join(home, 'nightmark.yml'), 'experiments: {}\n');
  const tell = async (words: readonly string[]) => {
    const { code, stdout, stderr } = await runInProcess(words, { cwd: dir });
    assert.equal(code, 0, stderr);
    return `${stdout}${stderr}`
      .split('\n')
      .filter((line) => /has no results|no new values|is back/.test(line));
  };
  let tests = 0;
  /** One round of a matrix: a test for each setting, with two KPIs. */
  const matrix = (workload: string, day: number, models: readonly string[]) => {
    const docs = fs.mkdtempSync(join(dir, 'docs-'));
    fs.writeFileSync(join(docs, 'source.lts.yaml'), `index: "${workload}"\n`);
    models.forEach((model, place) => {
      const id = `00000000-0000-4000-8000-${String(tests++).padStart(12, '0')}`;
      const start = new Date(START + day * DAY_MS + place * 60_000).toISOString();
      const kpi = {
        help: 'x',
        unit: 'ms',
        lower_better: true,
        model,
        '@timestamp': start,
        test_uuid: id,
        value: 1,
      };
      const metadata = { start, end: start, test_uuid: id, settings: { model }, exit_code: 0 };
      const document = {
        metadata,
        results: {},
        kpis: { [`${workload}_time`]: kpi, [`${workload}_size`]: kpi },
      };
      fs.writeFileSync(join(docs, `${workload}_${id}.json`), JSON.stringify(document));
    });
    return tell(['matrix', 'import', '--from', `files:${docs}`, '--name', workload, '--store', home]);
  };
  const imported = (experiment: string, day: number, commands: readonly string[]) => {
    const results = commands.map((command) => ({ command, times: [1, 1, 1 + day / 1e9] }));
    fs.writeFileSync(join(dir, 'results.json'), JSON.stringify({ results }));
    const at = new Date(START + day * DAY_MS).toISOString();
    return tell(['import', 'results.json', '--home', home, '--experiment', experiment, '--at', at]);
  };
  const absences = async () => {
    const { stdout } = await runInProcess(['changes', home, '--json'], { cwd: dir });
    return (JSON.parse(stdout) as ChangeList).absences;
  };
  return { dir, home, tell, matrix, imported, absences };
}

test('KPIs of a setting that is left out are reported after three rounds, once, and once when they are back', async (t) => {
  const { home, tell, matrix, absences } = newHome(t);
  for (let day = 0; day < 3; day++) assert.deepEqual(await matrix('tiny', day, ['m1', 'm2']), []);
  const told = [];
  for (let day = 3; day < 8; day++) told.push(await matrix('tiny', day, ['m1']));
  assert.deepEqual(told, [
    [],
    [],
    [
      'tiny_size{model=m2}: no new values, last seen 2026-01-03.',
      'tiny_time{model=m2}: no new values, last seen 2026-01-03.',
    ],
    [],
    [],
  ]);
  assert.equal((await absences()).length, 2);
  assert.deepEqual(await tell(['changes', home, '--judge']), [
    '  tiny_size{model=m2}: no new values, last seen 2026-01-03',
    '  tiny_time{model=m2}: no new values, last seen 2026-01-03',
  ]);
  assert.deepEqual(await matrix('tiny', 8, ['m1', 'm2']), [
    'tiny_size{model=m2} is back.',
    'tiny_time{model=m2} is back.',
  ]);
  assert.deepEqual(await absences(), []);
  for (let day = 9; day < 12; day++)
    assert.deepEqual(await matrix('tiny', day, day === 9 ? ['m1'] : ['m1', 'm2']), []);
});

test('a workload that stays away for three times its pace is one line, while others go on', async (t) => {
  const { home, matrix, absences } = newHome(t);
  for (let day = 0; day < 9; day += 2) {
    await matrix('slow', day, ['m1', 'm2', 'm3']);
    await matrix('tiny', day, ['m1']);
  }
  const told = [];
  for (let day = 9; day < 18; day++) told.push(await matrix('tiny', day, ['m1']));
  const line = 'workload slow has no results since 2026-01-09: 6 series.';
  assert.deepEqual(told, [[], [], [], [], [], [line], [], [], []]);
  fs.rmSync(join(home, '.nightmark/index.db'));
  assert.deepEqual(
    (await absences()).map(({ series, count }) => [series, count]),
    [[{ kind: 'workload', workload: 'slow' }, 6]],
  );
  assert.deepEqual(await matrix('slow', 18, ['m1', 'm2', 'm3']), ['workload slow is back.']);
});

test('imports: a series that stopped, and a whole experiment, are reported once, and when they are back', async (t) => {
  const { imported, absences } = newHome(t);
  for (let day = 0; day < 4; day++) {
    assert.deepEqual(await imported('tools', day, ['sort', 'cat']), []);
    assert.deepEqual(await imported('other', day, ['a', 'b', 'c']), []);
  }
  const told = [];
  for (let day = 4; day < 9; day++) told.push(await imported('tools', day, ['sort']));
  assert.deepEqual(told, [
    [],
    [],
    [
      'experiment other has no results since 2026-01-04: 3 series.',
      'tools/cat: no new values, last seen 2026-01-04.',
    ],
    [],
    [],
  ]);
  assert.deepEqual(await imported('other', 9, ['a', 'b', 'c']), ['experiment other is back.']);
  assert.deepEqual(await imported('tools', 9, ['sort', 'cat']), ['tools/cat is back.']);
  assert.deepEqual(await absences(), []);
});

test('status of a home with imports only reports the last one, how many series, and what is open', async (t) => {
  const { dir, home, imported, matrix } = newHome(t);
  const results = (factor: number, seed: number) =>
    JSON.stringify({
      results: [
        {
          command: 'sort',
          times: [1, 2, 3].map((time) => factor * (1 + ((time * 7 + seed * 13) % 10) / 1000)),
        },
      ],
    });
  for (let day = 0; day < 16; day++) {
    fs.writeFileSync(join(dir, 'sort.json'), results(day < 12 ? 1 : 1.5, day));
    const at = new Date(START + day * DAY_MS).toISOString();
    await runInProcess([
      'import',
      join(dir, 'sort.json'),
      '--home',
      home,
      '--experiment',
      'tools',
      '--at',
      at,
    ]);
  }
  await imported('other', 15.5, ['a', 'b']);
  await matrix('tiny', 2, ['m1']);
  const { stdout, stderr } = await runInProcess(['status', home]);
  assert.equal(stderr, '');
  assert.match(
    stdout,
    /^Last import 01-16-2026-\d{4} of other, 2 series read from results\.json as hyperfine\n {2}17 imports, 3 series of 2 experiments\nKPIs: 2 series, last test 2026-01-03\n\n1 open regression\n {2}▲ \w+ {2}tools\/sort \+(49|50)\.\d %/,
  );
  const { imports, regressions } = JSON.parse((await runInProcess(['status', home, '--json'])).stdout);
  assert.deepEqual([imports.imports, imports.series, regressions.length], [17, 3, 1]);
});
