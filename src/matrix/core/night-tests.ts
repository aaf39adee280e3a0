import type { Payload } from '../../formats/core/kpi/kpi.ts';
import type { SampleSet } from '../../formats/core/sample.ts';
import { placeSamples } from '../../formats/core/sample-data.ts';
import type { Run } from '../../home/core/run.ts';
import type { JsonObject } from '../../platform/core/text/json.ts';
import { median } from '../../stats/summary.ts';

/** Above it, the median stands for the values of a test. */
const MAX_VALUES = 100;

/** Whether an experiment was measured at more than one combination of settings. */
export function isMatrix(samples: readonly SampleSet[]): boolean {
  return new Set(samples.map(settingsKey).filter((key) => key !== '{}')).size > 1;
}

/** The samples of an experiment of a nightly run, as one test for each combination of settings. */
export function nightTests(
  { id, startedAt, endedAt }: Pick<Run, 'id' | 'startedAt' | 'endedAt'>,
  experiment: string,
  samples: readonly SampleSet[],
): readonly Payload[] {
  const tests = new Map<
    string,
    { readonly settings: JsonObject; readonly kpis: Record<string, JsonObject> }
  >();
  // Settings identify the test here, so they are left out of the name of a KPI.
  const bare = placeSamples(firstOfEach(samples).map((set) => ({ ...set, settings: {} })));
  const names = new Map(bare.map(({ set, path }) => [measureKey(set), path.join(' / ')]));
  for (const set of samples) {
    const key = settingsKey(set);
    const name = names.get(measureKey(set));
    if (key === '{}' || name === undefined || set.values.length === 0) continue;
    const test = tests.get(key) ?? { settings: set.settings, kpis: {} };
    tests.set(key, test);
    test.kpis[name] = kpiOf(set);
  }
  return [...tests].map(([key, { settings, kpis }]) => ({
    metadata: {
      start: new Date(startedAt).toISOString(),
      end: new Date(endedAt ?? startedAt).toISOString(),
      test_uuid: `${id}/${experiment}/${key}`,
      settings: { experiment, ...settings, run_id: id },
      exit_code: 0,
    },
    results: {},
    kpis,
  }));
}

/** The nightly run of a test; undefined for a test that was stored by itself. */
export function nightOfTest(testId: string, runId: string | null | undefined): string | undefined {
  return runId && testId.startsWith(`${runId}/`) ? runId : undefined;
}

function kpiOf({ values, unit, better }: SampleSet): JsonObject {
  return {
    value: values.length === 1 ? (values[0] ?? null) : values.length > MAX_VALUES ? median(values) : values,
    unit,
    ...(better !== 'unknown' && { lower_better: better === 'lower' }),
  };
}

function firstOfEach(samples: readonly SampleSet[]): readonly SampleSet[] {
  const found = new Map<string, SampleSet>();
  for (const set of samples) {
    const key = measureKey(set);
    if (!found.has(key) && set.values.length > 0) found.set(key, set);
  }
  return [...found.values()];
}

function measureKey({ benchmark, metric }: SampleSet): string {
  return JSON.stringify([benchmark, metric]);
}

function settingsKey({ settings }: SampleSet): string {
  const sorted = Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return JSON.stringify(Object.fromEntries(sorted));
}
