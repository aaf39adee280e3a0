import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { nodeContext } from '../../src/cli/node-context.ts';
import { readHome } from '../../src/home/config/read-home.ts';
import type { Run, StageResult } from '../../src/home/core/run.ts';
import type { ValueBatch } from '../../src/home/core/store.ts';
import { runNight } from '../../src/night/app/run-night.ts';
import { nightEffects } from '../../src/night/cli/night-adapters.ts';

const DEFINITION = `experiments:
  sort:
    run: 'echo ''{"seconds": 1.5, "score": 3}'''
    results: { unit: s, better: lower }
tasks:
  report:
    uses: vis_telemetry
`;

const home = mkdtempSync(join(tmpdir(), 'nightmark-inline-'));
after(() => rmSync(home, { recursive: true }));

const written: string[] = [];
const saved: ValueBatch[] = [];
let run: Run;
let stages: readonly StageResult[];

/** A real night; what goes to the disk and into the index is also noted here, and the clock goes on with each file. */
before(async () => {
  writeFileSync(join(home, 'nightmark.yml'), DEFINITION);
  const { context, dispose } = nodeContext(process);
  const effects = await nightEffects(home, context, () => {});
  const { disk, store, clock } = effects;
  const definition = await readHome(home, {}, context);
  const request = { home: definition.home, options: { build: true }, seed: 1, resume: false };
  const outcome = await runNight(request, {
    ...effects,
    clock: { ...clock, micros: () => written.length * 1000 },
    disk: {
      ...disk,
      writeText: (path, ...rest) => {
        written.push(path);
        return disk.writeText(path, ...rest);
      },
    },
    store: {
      ...store,
      saveValues: (batch) => {
        saved.push(batch);
        return store.saveValues(batch);
      },
    },
  });
  run = outcome.run;
  assert.deepEqual(
    outcome.trials.map(({ task, state }) => `${task} ${state}`),
    ['sort succeeded', 'report succeeded'],
  );
  stages = await store.stagesOf(run.id);
  store.close();
  dispose();
});

test('the results of an inline experiment are written once, and their samples', () => {
  const file = join(home, `results/experiments/data/sort/data_${run.label}.json`);
  assert.deepEqual(
    written.filter((path) => /data[^/]*\.json$/.test(path)),
    [file],
  );
  const data = JSON.parse(readFileSync(file, 'utf8'));
  assert.deepEqual([data.seconds, data.score, data.detailed.seconds.n], [1.5, 3, 1]);
  assert.deepEqual(readdirSync(join(home, '.nightmark/runs', run.id, 'samples')), ['sort.json']);
});

test('they are stored once, each number with the unit that is known of it', () => {
  assert.deepEqual(
    saved.map(({ runId, task }) => [runId, task]),
    [[run.id, 'sort']],
  );
  const values = saved[0]?.values ?? [];
  const paths = values.map(({ path }) => path.join(' '));
  assert.equal(new Set(paths).size, paths.length);
  const find = (path: string) => values.find((value) => value.path.join(' ') === path);
  const seconds = find('seconds');
  assert.deepEqual([seconds?.value, seconds?.unit, seconds?.better], [1.5, 's', 'lower']);
  assert.equal(find('detailed seconds n')?.value, 1);
});

test('stages whose work Nightmark does itself report the time they took', () => {
  const own = stages.filter(({ stage }) => stage === 'analyze' || stage === 'summarize');
  assert.deepEqual(
    own.map(({ stage, durationMs }) => [stage, durationMs]),
    [
      ['analyze', 2], // samples and data
      ['summarize', 1],
    ],
  );
  const report = stages.find(({ task, stage }) => task === 'report' && stage === 'run');
  assert.equal(report?.durationMs, 1); // its status.json
});
