import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SeriesValue } from '../../src/formats/core/sample.ts';
import { openSqliteStore } from '../../src/home/adapters/store/sqlite-store.ts';
import { homeLayout } from '../../src/home/core/home-layout.ts';
import type { Store } from '../../src/home/core/store.ts';
import { judgeHome } from '../../src/judge/app/changes/judge-home.ts';
import { DEFAULT_RULES } from '../../src/judge/app/series/judging-rules.ts';
import localDisk from '../../src/platform/adapters/local-disk/local-disk.ts';

export const FIRST_NIGHT = Date.UTC(2025, 10, 1, 2, 0);
const DAY_MS = 86_400_000;
const NOISE = [0, 0.01, -0.01, 0.005, -0.005, 0.002, 0.008];

/** Where a series leaves its level, and by which factor. */
export interface Step {
  readonly experiment: string;
  readonly at: number;
  readonly factor: number;
  readonly better?: SeriesValue['better'];
}

export function idOfNight(night: number): string {
  return `${new Date(FIRST_NIGHT + night * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')}-020000-test`;
}

/** A home with a history whose experiments step once each; the commit of the source changes where "sort" steps. */
export async function makeChangesHome(home: string, steps: readonly Step[], nights = 60): Promise<void> {
  mkdirSync(homeLayout(home).own, { recursive: true });
  writeFileSync(join(home, 'nightmark.yml'), 'project: stepping\n');
  const store = await openSqliteStore(homeLayout(home).index);
  try {
    await store.saveMachine({ id: 'f00d', name: 'bench-1', facts: { cores: 8 } });
    await store.together(async () => {
      for (let night = 0; night < nights; night++) await saveNight(store, steps, night);
    });
    const clock = { now: () => FIRST_NIGHT + nights * DAY_MS };
    await judgeHome({ home, rules: DEFAULT_RULES, scope: {} }, { store, disk: localDisk, clock });
  } finally {
    store.close();
  }
}

async function saveNight(store: Store, steps: readonly Step[], night: number): Promise<void> {
  const [runId, startedAt] = [idOfNight(night), FIRST_NIGHT + night * DAY_MS];
  await store.saveRun({
    ...{ id: runId, kind: 'night', project: 'stepping', label: runId, state: 'finished', startedAt },
    ...{ endedAt: startedAt + 60_000, machineId: 'f00d', order: [], origin: 'measured', warnings: [] },
  });
  const commit = night < (steps[0]?.at ?? 0) ? 'aaaa111' : 'bbbb222';
  await store.saveTrials(
    steps.map(({ experiment }) => ({
      ...{ runId, task: experiment, kind: 'experiment', state: 'succeeded', message: '', startedAt },
      ...{ durationMs: 1_000, commits: { repo: commit } },
    })),
  );
  for (const [place, { experiment, at, factor, better = 'lower' }] of steps.entries()) {
    const noise = NOISE[(night * 3 + place) % NOISE.length] ?? 0;
    const value = 0.012 * (1 + noise) * (night < at ? 1 : factor);
    // The unit of a time would give it a direction.
    const unit = better === 'unknown' ? '' : 's';
    const values: SeriesValue[] = [{ experiment, path: ['time'], value, unit, better }];
    await store.saveValues({ runId, task: experiment, at: startedAt, values });
  }
}
