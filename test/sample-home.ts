import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SeriesValue } from '../src/formats/core/sample.ts';
import { openSqliteStore } from '../src/home/adapters/store/sqlite-store.ts';
import { homeLayout, runFiles } from '../src/home/core/home-layout.ts';
import type { Run, StageResult, Trial } from '../src/home/core/run.ts';
import type { Store } from '../src/home/core/store.ts';
import { judgeHome } from '../src/judge/app/changes/judge-home.ts';
import { DEFAULT_RULES } from '../src/judge/app/series/judging-rules.ts';
import localDisk from '../src/platform/adapters/local-disk/local-disk.ts';

/** The night before the moment that tests call now. */
export const LAST_NIGHT = Date.UTC(2026, 0, 31, 2, 0);
const DAY_MS = 86_400_000;

export const HOSTILE = `<script>alert("1")<b> & 'quote' .. \n\u202eevil\u0007`;
export const LONG = `a-very-long-name-without-a-place-to-break-it-${'x'.repeat(150)}`;

/** Ids as the engine makes them: they sort by time. Night 0 is the last one. */
export function nightId(ago: number): string {
  const [date, time] = new Date(LAST_NIGHT - ago * DAY_MS).toISOString().split(/[T.]/);
  return `${date?.replaceAll('-', '')}-${time?.replaceAll(':', '')}-test`;
}

/**
 * A home as nights leave it: real index, logs, summaries and pictures. Experiments: sort (steps up in the last
 * night), json, broken (fails since five nights), idle (inactive), gone (not part of the last night), two hostile
 * names; one subsystem.
 */
export async function makeSampleHome(home: string, nights: number): Promise<void> {
  writeFile(join(home, 'nightmark.yml'), 'project: sample\n');
  const store = await openSqliteStore(homeLayout(home).index);
  try {
    await store.saveMachine({ id: 'f00d', name: 'bench-1', facts: { cpu: 'Test CPU <b>', cores: 8 } });
    await store.together(async () => {
      for (let ago = nights - 1; ago >= 0; ago--) await saveNight(store, home, ago);
    });
    const clock = { now: () => LAST_NIGHT };
    await judgeHome({ home, rules: DEFAULT_RULES, scope: {} }, { store, disk: localDisk, clock });
  } finally {
    store.close();
  }
  writeResults(home);
}

async function saveNight(store: Store, home: string, ago: number): Promise<void> {
  const id = nightId(ago);
  const startedAt = LAST_NIGHT - ago * DAY_MS;
  const run: Run = {
    id,
    kind: 'night',
    project: 'sample',
    label: `${new Date(startedAt).toISOString().slice(5, 10)}-2026-0200${ago === 1 ? '-2' : ''}`,
    state: ago === 3 ? 'interrupted' : 'finished',
    startedAt,
    endedAt: startedAt + 4_320_000,
    seed: 42,
    machineId: 'f00d',
    order: ['sort', 'json', 'broken'],
    origin: 'measured',
    warnings: ago === 0 ? ['sensors is missing: <i>no temperatures</i>'] : [],
  };
  const trials = trialsOf(id, startedAt, ago);
  await store.saveRun(run);
  await store.saveTrials(trials);
  await store.saveStages(
    id,
    trials.flatMap((trial) => stagesOf(trial, home, startedAt)),
  );
  for (const { task, state } of trials) {
    if (state === 'succeeded')
      await store.saveValues({ runId: id, task, at: startedAt, values: valuesOf(task, ago) });
  }
}

function trialsOf(runId: string, startedAt: number, ago: number): readonly Trial[] {
  const names = ['sort', 'json', 'broken', 'idle', ...(ago > 2 ? ['gone'] : []), HOSTILE, LONG];
  const common = { runId, startedAt, durationMs: 61_000, commits: { repo: '6de6d63-dirty' } };
  const experiments = names.map((task): Trial => {
    const isBroken = task === 'broken' && ago < 5;
    return {
      ...common,
      task,
      kind: 'experiment',
      ...(task === 'sort' && { title: 'Sorting 10 000 numbers' }),
      state: isBroken ? 'failed' : task === 'idle' ? 'inactive' : 'succeeded',
      ...(isBroken && { failedStage: 'run' as const }),
      message: isBroken ? 'Traceback (most recent call last):\n  <b>boom</b>' : '',
    };
  });
  return [...experiments, { ...common, task: 'website', kind: 'subsystem', state: 'succeeded', message: '' }];
}

function stagesOf({ task, kind, state, message }: Trial, home: string, startedAt: number): StageResult[] {
  if (state === 'inactive') return [];
  const runId = nightId(Math.round((LAST_NIGHT - startedAt) / DAY_MS));
  const stages =
    kind === 'subsystem' || state === 'failed' ? (['run'] as const) : (['run', 'analyze'] as const);
  return stages.map((stage) => {
    const isFailed = state === 'failed' && stage === 'run';
    return {
      task,
      kind,
      stage,
      success: !isFailed,
      message: isFailed ? message : '',
      extra: {},
      startedAt,
      durationMs: 30_500,
      attempts: isFailed ? 2 : 1,
      exit: { type: 'code', code: isFailed ? 1 : 0 },
      log: runFiles(home, runId)
        .log(kind, task, stage)
        .slice(home.length + 1),
    };
  });
}

/** Smooth noise without a random generator: the same home every time. */
function valuesOf(task: string, ago: number): readonly SeriesValue[] {
  const noise = Math.sin(ago * 12.9898) * 0.5 + Math.sin(ago * 78.233) * 0.5;
  const step = task === 'sort' && ago === 0 ? 1.2 : 1;
  const seconds = { unit: 's', better: 'lower' } as const;
  const paths = [['cpu', 'A'], ['cpu', 'B'], ['memory'], ['reward'], ['detailed', 'cpu', 'A', 'mean']];
  return paths.map((path, index) => {
    const value = (0.0125 * (index + 1) + 0.0002 * noise) * step;
    if (path[0] === 'memory')
      return { experiment: task, path, value: 52_428_800 + noise * 1e6, unit: 'B', better: 'lower' };
    if (path[0] === 'reward') return { experiment: task, path, value: -5.3 + noise / 10, better: 'higher' };
    return { experiment: task, path, value, ...seconds };
  });
}

function writeResults(home: string): void {
  const layout = homeLayout(home);
  const log = (task: string, stage: string) => runFiles(home, nightId(0)).log('experiment', task, stage);
  writeFile(log('broken', 'run'), 'starting\r\n\u001b[31mred\u001b[0m <b>boom</b>\nexit 1\n');
  writeFile(log('sort', 'run'), `first line\n${'noise\n'.repeat(200_000)}last line\n`);
  writeFile(
    join(layout.summary('sort'), 'summary.json'),
    '{"title": "Sort <1>", "value": "_12.5 ms_\\nsecond line"}',
  );
  writeFile(join(layout.summary('json'), 'summary.json'), 'no json');
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="80"><script>alert(1)</script><rect width="200" height="80" fill="#56b4e9"/></svg>`;
  writeFile(join(layout.graph('sort'), 'all time/picture one.svg'), picture);
  writeFile(join(layout.graph('sort'), 'page.html'), '<script>alert(1)</script>');
  writeFile(join(layout.data('sort'), 'data_01-31-2026-0200.json'), '{"cpu": {"A": 0.015}}');
  symlinkSync('/etc/passwd', join(layout.graph('sort'), 'passwd.png'));
  symlinkSync('/etc', join(layout.graph('sort'), 'etc'));
}

function writeFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
