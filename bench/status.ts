// How long "nightmark status" takes on a home with a long history, beside starting node alone.
// Usage: node dist/bench/status.js [nights]

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../src/home/adapters/store/sqlite-store.ts';
import { homeLayout } from '../src/home/core/home-layout.ts';
import type { StageResult } from '../src/home/core/run.ts';
import type { Store } from '../src/home/core/store.ts';

const NIGHTS = Number(process.argv[2] ?? 10_000);
const FEW_NIGHTS = 100;
const EXPERIMENTS = Array.from({ length: 20 }, (_, index) => `experiment-${index}`);
const STAGES = ['precheck', 'run', 'analyze', 'visualize', 'summarize'] as const;
const VALUES = ['A', 'B', 'C', 'D', 'E'];
const ROUNDS = 15;
const DAY_MS = 86_400_000;

const root = mkdtempSync(join(tmpdir(), 'nightmark-bench-status-'));
try {
  const few = join(root, 'few');
  const many = join(root, 'many');
  await buildHome(few, FEW_NIGHTS);
  const buildMs = await buildHome(many, NIGHTS);
  console.log(
    `built ${NIGHTS} nights x ${EXPERIMENTS.length} experiments in ${(buildMs / 1000).toFixed(1)} s, ${Math.round(process.memoryUsage.rss() / 1024 ** 2)} MiB`,
  );
  await measureQueries(many);

  const main = 'dist/src/cli/nightmark.cjs';
  const plain: number[] = [];
  const status: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    plain.push(timed(['-e', '0']));
    status.push(timed([main, 'status', many]));
  }
  console.log(`node -e 0:        median ${median(plain).toFixed(0)} ms`);
  console.log(
    `nightmark status: median ${median(status).toFixed(0)} ms, ${NIGHTS} nights (aim: below 300 ms)`,
  );
  console.log(`ratio:            ${(median(status) / median(plain)).toFixed(2)}`);
  console.log(
    `peak memory:      ${peakMiB(main, few)} MiB with ${FEW_NIGHTS} nights, ${peakMiB(main, many)} MiB with ${NIGHTS}`,
  );
} finally {
  rmSync(root, { recursive: true });
}

async function buildHome(home: string, nights: number): Promise<number> {
  const start = performance.now();
  const store = await openSqliteStore(homeLayout(home).index);
  for (let first = 0; first < nights; first += 200) {
    await store.together(async () => {
      for (let night = first; night < Math.min(first + 200, nights); night++) await addNight(store, night);
    });
  }
  store.close();
  return performance.now() - start;
}

async function addNight(store: Store, night: number): Promise<void> {
  const startedAt = 1_000_000_000_000 + night * DAY_MS;
  const runId = `${String(night).padStart(8, '0')}-030700-bench`;
  await store.saveRun({
    id: runId,
    kind: 'night',
    project: 'bench',
    label: `night-${night}`,
    state: 'finished',
    startedAt,
    endedAt: startedAt + 3_600_000,
    seed: night,
    machineId: 'bench',
    order: EXPERIMENTS,
    origin: 'measured',
    warnings: [],
  });
  const isFailed = (index: number) => (night + index) % 17 === 0;
  await store.saveTrials(
    EXPERIMENTS.map((task, index) => ({
      runId,
      task,
      kind: 'experiment',
      state: isFailed(index) ? 'failed' : 'succeeded',
      ...(isFailed(index) ? { failedStage: 'run' as const } : {}),
      message: isFailed(index) ? 'The program ended with 1' : '',
      startedAt,
      durationMs: 1000 + index,
      commits: { tvm: '6de6d63' },
    })),
  );
  await store.saveStages(
    runId,
    EXPERIMENTS.flatMap((task) => STAGES.map((stage): StageResult => stageOf(task, stage, startedAt))),
  );
  for (const [index, experiment] of EXPERIMENTS.entries()) {
    const values = VALUES.map((key) => ({ experiment, path: ['cpu', key], value: night + index }));
    await store.saveValues({ runId, task: experiment, at: startedAt, values });
  }
}

function stageOf(task: string, stage: StageResult['stage'], startedAt: number): StageResult {
  const exit = { type: 'code', code: 0 } as const;
  const log = `.nightmark/runs/bench/logs/experiments/${task}/${stage}.log`;
  const base = {
    task,
    kind: 'experiment',
    stage,
    success: true,
    message: '',
    extra: {},
    attempts: 1,
  } as const;
  return { ...base, startedAt, durationMs: 200, exit, log };
}

async function measureQueries(home: string): Promise<void> {
  const open = performance.now();
  const store = await openSqliteStore(homeLayout(home).index, { readOnly: true });
  console.log(`open:             ${(performance.now() - open).toFixed(2)} ms`);
  const [run] = await store.latestRuns({ limit: 1 });
  const [series] = await store.series({ limit: 1 });
  const queries: Record<string, () => Promise<unknown>> = {
    'latestRuns(14)': () => store.latestRuns({ kind: 'night', limit: 14 }),
    countRuns: () => store.countRuns(),
    'trialsOf(1)': () => store.trialsOf([run?.id ?? '']),
    'series(experiment)': () => store.series({ experiment: 'experiment-7', limit: 100 }),
    'history(100)': () => store.history(series?.id ?? 0, { limit: 100 }),
    'history(all)': () => store.history(series?.id ?? 0, { limit: 1e6 }),
  };
  for (const [name, query] of Object.entries(queries)) {
    const times = [];
    for (let round = 0; round < ROUNDS; round++) {
      const start = performance.now();
      await query();
      times.push(performance.now() - start);
    }
    console.log(`${`${name}:`.padEnd(18)}${median(times).toFixed(2)} ms`);
  }
  store.close();
}

function timed(args: readonly string[]): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`);
  return performance.now() - start;
}

/** VmHWM, not maxRSS: that one is inherited from the process that starts it. */
function peakMiB(main: string, home: string): number {
  const tell = `import { readFileSync } from 'node:fs';
    process.on('exit', () => process.stderr.write(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]))`;
  const preload = `data:text/javascript,${encodeURIComponent(tell)}`;
  const { stderr } = spawnSync(process.execPath, ['--import', preload, main, 'status', home], {
    encoding: 'utf8',
  });
  return Math.round(Number(stderr) / 1024);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
