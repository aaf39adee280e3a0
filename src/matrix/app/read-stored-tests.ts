import type { Payload } from '../../formats/core/kpi/kpi.ts';
import { payloadStart } from '../../formats/core/kpi/read-payload.ts';
import type { Run } from '../../home/core/run.ts';
import type { Store } from '../../home/core/store.ts';
import type { JsonValue } from '../../platform/core/text/json.ts';
import { type EntryTable, entryTable } from '../core/explorer/entry-table.ts';
import { isFailed } from '../core/explorer/suggest-view.ts';
import { isMatrix, nightTests } from '../core/night-tests.ts';

/** Every test that the explorer shows. */
export interface StoredTests extends EntryTable {
  /** There are older tests than these. */
  readonly hasOlder: boolean;
}

/** The settings and KPIs to choose from. */
export interface MatrixFacts {
  readonly tests: number;
  readonly failed: number;
  readonly hasOlder: boolean;
  readonly from: number | null;
  readonly to: number | null;
  readonly settings: readonly {
    readonly name: string;
    readonly values: readonly { readonly value: JsonValue; readonly tests: number }[];
  }[];
  readonly kpis: readonly {
    readonly name: string;
    readonly help: string;
    readonly unit: string;
    readonly better: string;
    readonly tests: number;
    readonly withoutValue: number;
  }[];
}

/** Only the newest tests are shown. */
const MAX_TESTS = 20_000;

/** The stored tests, and the tests of matrices in nightly runs, as columns. */
export async function readStoredTests(store: Store | undefined, limit = MAX_TESTS): Promise<StoredTests> {
  const payloads = (await store?.payloads({ limit: limit + 1 })) ?? [];
  const stored = payloads.slice(-limit);
  const nights = store && (await readNightTests(store, limit - stored.length));
  const tests = nights && nights.tests.length > 0 ? inTime([...stored, ...nights.tests]) : stored;
  return { ...entryTable(tests), hasOlder: payloads.length > limit || nights?.hasOlder === true };
}

/** The oldest first; those of the same time in their given order. */
function inTime(payloads: readonly Payload[]): readonly Payload[] {
  const at = (payload: Payload) => payloadStart(payload) || 0;
  return payloads
    .map((payload) => ({ payload, at: at(payload) }))
    .sort((a, b) => a.at - b.at)
    .map(({ payload }) => payload);
}

export function matrixFacts(entries: StoredTests): MatrixFacts {
  const times = entries.times.filter((time) => time !== null);
  return {
    tests: entries.ids.length,
    failed: [...entries.ids.keys()].filter((row) => isFailed(entries, row)).length,
    hasOlder: entries.hasOlder,
    from: times[0] ?? null,
    to: times.at(-1) ?? null,
    settings: entries.settings.map(({ name, values, codes }) => {
      const counts = values.map(() => 0);
      for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
      return { name, values: values.map((value, place) => ({ value, tests: counts[place] ?? 0 })) };
    }),
    kpis: entries.kpis.map(({ name, help, unit, better, values }) => ({
      ...{ name, help, unit, better },
      tests: values.length,
      withoutValue: values.filter((value) => value === null).length,
    })),
  };
}

/** Older nightly runs are not read: a matrix of a hundred points has thousands of tests in these. */
const NIGHTS = 50;

export interface NightTests {
  /** The oldest first. */
  readonly tests: readonly Payload[];
  readonly hasOlder: boolean;
}

/** Every test of a matrix in the newest nightly runs. */
async function readNightTests(store: Store, limit: number): Promise<NightTests> {
  const found = await store.latestRuns({ limit: NIGHTS + 1, kind: 'night' });
  const runs = found.slice(0, NIGHTS);
  const matrices = await matricesOf(store, runs);
  const tests: (readonly Payload[])[] = [];
  let count = 0;
  for (const [place, run] of runs.entries()) {
    for (const experiment of matrices) {
      const own = nightTests(run, experiment, await store.samplesOf(run.id, experiment));
      if (count + own.length > limit) return { tests: tests.reverse().flat(), hasOlder: true };
      tests.push(own);
      count += own.length;
    }
    if (place === 0 && matrices.length === 0) break;
  }
  return { tests: tests.reverse().flat(), hasOlder: count > 0 && found.length > NIGHTS };
}

/** Experiments whose newest results have several settings. */
async function matricesOf(store: Store, runs: readonly Run[]): Promise<readonly string[]> {
  const newest = await store.newestTasks(runs.map(({ id }) => id));
  const matrices: string[] = [];
  for (const { kind, task } of newest) {
    if (kind !== 'experiment') continue;
    // One that failed last has its settings from an earlier run.
    for (const { id } of runs) {
      const samples = await store.samplesOf(id, task);
      if (samples.length === 0) continue;
      if (isMatrix(samples)) matrices.push(task);
      break;
    }
  }
  return matrices;
}
