import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseDuetFile } from '../../src/duet/config/read-duet-file.ts';
import type { DuetSuite, PlannedRun } from '../../src/duet/core/duet.ts';
import { planRuns } from '../../src/duet/core/plan-runs.ts';

interface Recorded {
  readonly before_shuffle: readonly string[];
  readonly executed: readonly string[];
}

const recorded = (file: string) =>
  JSON.parse(readFileSync(`test/golden/duet/${file}`, 'utf8')) as Readonly<Record<string, Recorded>>;
// plans-more.json was made with CPython 3.11 by the same steps, which give those of plans.json too.
const plans = { ...recorded('plans.json'), ...recorded('plans-more.json') };

function readSuite(path: string): DuetSuite {
  const reading = parseDuetFile(path, readFileSync(`test/golden/duet/${path}`, 'utf8'));
  assert.equal(reading.state, 'usable', JSON.stringify(reading.problems));
  return (reading as Extract<typeof reading, { state: 'usable' }>).suite;
}

function textOf(run: PlannedRun): string {
  return `${run.type}.${run.benchmark}.${run.runid}.${run.type === 'seqn' ? run.pair : run.order}`;
}

test('there are twelve plans to check', () => assert.equal(Object.keys(plans).length, 12));

for (const [name, expected] of Object.entries(plans)) {
  test(`the plan of ${name} is the original's`, () => {
    const [path = '', seed = '', names] = name.split(/[@ ]/);
    const options = { seed: Number(seed), filter: names?.split(',') ?? [] };
    const suite = readSuite(path);
    assert.deepEqual(planRuns(suite, options).map(textOf), expected.executed);
    const unshuffled = planRuns({ ...suite, schedule: 'sequential' }, options);
    assert.deepEqual(unshuffled.map(textOf), expected.before_shuffle);
  });
}
