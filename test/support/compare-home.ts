import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SampleSet } from '../../src/formats/core/sample.ts';
import { sampleValues } from '../../src/formats/core/sample-data.ts';
import { openSqliteStore } from '../../src/home/adapters/store/sqlite-store.ts';
import { homeLayout, runFiles } from '../../src/home/core/home-layout.ts';
import type { Run, Trial } from '../../src/home/core/run.ts';
import type { Store } from '../../src/home/core/store.ts';
import { seededRandom } from '../../src/stats/random.ts';

export const HOSTILE_NAME = '<img src=x onerror=alert(1)>';
const DAY_MS = 86_400_000;
export const NIGHTS = 24;

export const nightOf = (night: number) => `202601${String(night + 1).padStart(2, '0')}-020000-test`;

/**
 * 24 nights on bench-1 and six on bench-2, which is half as fast. Since night 20 the source is at another commit and
 * sort/cpu/A takes 10 % more; "late" is there since the last night, "early" until then, and "breaks" fails in it.
 */
export async function makeCompareHome(home: string): Promise<void> {
  write(join(home, 'nightmark.yml'), 'project: compared\n');
  mkdirSync(dirname(homeLayout(home).index), { recursive: true });
  const store = await openSqliteStore(homeLayout(home).index);
  try {
    await store.saveMachine({ id: 'f00d', name: 'bench-1', facts: { cpu: 'Fast', cores: 8, kernel: '6.1' } });
    await store.saveMachine({ id: 'beef', name: 'bench-2', facts: { cpu: 'Slow', cores: 8, kernel: '6.1' } });
    const random = seededRandom(7);
    await store.together(async () => {
      for (let night = 0; night < NIGHTS; night++)
        await saveNight(store, { home, night, machineId: 'f00d', random });
      for (let night = 10; night < 16; night++)
        await saveNight(store, { home, night, machineId: 'beef', random });
    });
    await saveImport(store, home);
  } finally {
    store.close();
  }
}

interface Night {
  readonly home: string;
  readonly night: number;
  readonly machineId: 'f00d' | 'beef';
  readonly random: () => number;
}

async function saveNight(store: Store, { home, night, machineId, random }: Night): Promise<void> {
  const isOther = machineId === 'beef';
  const startedAt = Date.UTC(2026, 0, 1, isOther ? 5 : 2) + night * DAY_MS;
  const id = isOther ? nightOf(night).replace('-02', '-05') : nightOf(night);
  const label = `01-${String(night + 1).padStart(2, '0')}-2026-0${isOther ? 5 : 2}00`;
  const run: Run = {
    ...{ id, kind: 'night', project: 'compared', label, state: 'finished', startedAt, machineId },
    ...{ endedAt: startedAt + 60_000, order: [], origin: 'measured', warnings: [] },
  };
  await store.saveRun(run);
  const isLast = night === NIGHTS - 1;
  const names = ['sort', HOSTILE_NAME, 'breaks', ...(isLast ? ['late'] : ['early'])];
  const trials = names.map((task): Trial => {
    const isFailed = task === 'breaks' && isLast;
    return {
      ...{ runId: id, task, kind: 'experiment', startedAt, durationMs: 1000 },
      ...{ commits: { repo: night >= 20 ? 'b2b2b2b' : 'a1a1a1a' }, message: isFailed ? 'exit <b>1</b>' : '' },
      ...(isFailed ? { state: 'failed', failedStage: 'run' } : { state: 'succeeded' }),
    };
  });
  await store.saveTrials(trials);
  for (const { task, state } of trials) {
    if (state === 'failed') continue;
    const step = (task === 'sort' && night >= 20 ? 1.1 : 1) * (isOther ? 2 : 1);
    const centre = 1 + 0.004 * (random() + random() + random() - 1.5);
    const samples = samplesOf(centre, step, random);
    await store.saveSamples(id, task, samples);
    await store.saveValues({ runId: id, task, at: startedAt, values: sampleValues(task, samples) });
  }
  const compiler = night >= 20 ? 'gcc 13' : 'gcc 12';
  write(join(homeLayout(home).data('sort'), `data_${label}.json`), JSON.stringify({ build: { compiler } }));
}

function samplesOf(centre: number, step: number, random: () => number): readonly SampleSet[] {
  const values = (level: number) => Array.from({ length: 9 }, () => level * centre * (1 + 0.001 * random()));
  const known = { metric: 'time', unit: 's', better: 'lower', settings: {} } as const;
  return [
    { ...known, benchmark: ['cpu', 'A'], values: values(0.01 * step) },
    { ...known, benchmark: ['cpu', 'B'], values: values(0.02 * (step >= 2 ? 2 : 1)) },
  ];
}

/** An import that was told its branch. */
async function saveImport(store: Store, home: string): Promise<void> {
  const startedAt = Date.UTC(2025, 11, 1);
  const run: Run = {
    ...{ id: '20251201-000000-import', kind: 'import', project: 'compared', label: '12-01-2025-0000' },
    ...{ state: 'finished', startedAt, order: [], origin: 'imported', warnings: [] },
  };
  await store.saveRun(run);
  const values = [
    { experiment: 'sort', path: ['cpu', 'A'], value: 0.011, unit: 's', better: 'lower' },
  ] as const;
  await store.saveValues({ runId: run.id, task: 'sort', at: startedAt, values });
  const events = [
    { type: 'begin', run, options: { build: false } },
    { type: 'import', file: 'x.json', format: 'hyperfine', failed: [], skipped: [], branch: 'feature/x' },
  ];
  write(runFiles(home, run.id).journal, `${events.map((event) => JSON.stringify(event)).join('\n')}\n`);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
