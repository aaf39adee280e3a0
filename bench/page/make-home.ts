import { openSqliteStore } from '../../src/home/adapters/store/sqlite-store.ts';
import { homeLayout } from '../../src/home/core/home-layout.ts';
import type { Store } from '../../src/home/core/store.ts';

export interface HomeSize {
  readonly experiments: number;
  /** Of each experiment. */
  readonly series: number;
  readonly nights: number;
}

const DAY_MS = 86_400_000;
const LAST = Date.UTC(2026, 10, 15, 2);

/** A home as many nights leave it, with noise and now and then a step; without files. */
export async function makeHome(home: string, size: HomeSize): Promise<void> {
  const store = await openSqliteStore(homeLayout(home).index);
  await store.saveMachine({ id: 'b0b', name: 'bench-1', facts: { cpu: 'bench' } });
  for (let first = 0; first < size.nights; first += 20) {
    await store.together(async () => {
      for (let night = first; night < Math.min(first + 20, size.nights); night++) {
        await addNight(store, night, size);
      }
    });
  }
  store.close();
}

/** One more night than `size` has, at the end. */
export async function addOneNight(home: string, size: HomeSize, later: number): Promise<void> {
  const store = await openSqliteStore(homeLayout(home).index);
  await store.together(() => addNight(store, size.nights + later, size));
  store.close();
}

async function addNight(
  store: Store,
  night: number,
  { experiments, series, nights }: HomeSize,
): Promise<void> {
  const startedAt = LAST - (nights - 1 - night) * DAY_MS;
  const stamp = new Date(startedAt).toISOString().replace(/[-:]/g, '');
  const id = `${stamp.slice(0, 8)}-${stamp.slice(9, 15)}-page`;
  const names = Array.from(
    { length: experiments },
    (_, index) => `experiment-${String(index).padStart(4, '0')}`,
  );
  await store.saveRun({
    ...{ id, kind: 'night', project: 'bench', label: `night-${night}`, state: 'finished', startedAt },
    ...{ endedAt: startedAt + 3_600_000, seed: night, machineId: 'b0b', order: names, origin: 'measured' },
    warnings: [],
  });
  await store.saveTrials(
    names.map((task) => ({
      ...{ runId: id, task, kind: 'experiment' as const, state: 'succeeded' as const, message: '' },
      ...{ startedAt, durationMs: 60_000, commits: { repo: (0xabc000 + night).toString(16) } },
    })),
  );
  for (const [place, task] of names.entries()) {
    const values = Array.from({ length: series }, (_, index) => ({
      ...{ experiment: task, path: ['cpu', `metric-${index}`], unit: 's', better: 'lower' as const },
      value: valueAt(place * series + index, night, nights),
    }));
    await store.saveValues({ runId: id, task, at: startedAt, values });
  }
}

/** Every tenth series has a step of 5 % somewhere; all have 2 % of noise. */
function valueAt(series: number, night: number, nights: number): number {
  const level = 0.01 * (1 + (series % 97));
  const isStepped = series % 10 === 0 && night > (series * 7919) % nights;
  return level * (1 + 0.02 * noise(series * 4099 + night) + (isStepped ? 0.05 : 0));
}

/** Roughly normal, the same every time. */
function noise(seed: number): number {
  let sum = 0;
  let state = (seed * 2654435761) >>> 0;
  for (let i = 0; i < 6; i++) {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    sum += state / 2 ** 32;
  }
  return (sum - 3) * Math.SQRT2;
}
