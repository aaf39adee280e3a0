import type { SampleSet } from '../../formats/core/sample.ts';
import type { PlannedTest } from '../../home/core/matrix-definition.ts';
import { templateText } from '../../home/core/sweep/fill-template.ts';

/** The settings of a test as environment variables: "@seed" and "batch-size" are SEED and BATCH_SIZE there. */
export function settingVariables({ settings, texts }: PlannedTest): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [
      `NIGHTMARK_SETTING_${key.replace(/^@/, '').toUpperCase().replace(/\W/g, '_')}`,
      texts[key] ?? templateText(value, 'native'),
    ]),
  );
}

/** The samples of one test of a matrix. */
export interface PointSamples {
  readonly test: PlannedTest;
  readonly samples: readonly SampleSet[];
}

/**
 * All samples of a matrix, each with the settings of its test. Repetitions and seeds (settings with "@") are the same
 * test again: their values are pooled into one set, in the order of the tests.
 */
export function poolSamples(points: readonly PointSamples[]): readonly SampleSet[] {
  const sets = new Map<string, SampleSet & { readonly values: number[] }>();
  for (const { test, samples } of points) {
    const own = settingsOf(test);
    for (const { values, ...rest } of samples) {
      const settings = { ...rest.settings, ...own };
      const { benchmark, metric, unit } = rest;
      const key = JSON.stringify([benchmark, metric, unit, Object.entries(settings).sort()]);
      const set = sets.get(key) ?? { ...rest, settings, values: [] };
      sets.set(key, set);
      for (const value of values) set.values.push(value);
    }
  }
  return [...sets.values()];
}

function settingsOf({ settings, texts }: PlannedTest): SampleSet['settings'] {
  const lasting = Object.entries(settings).filter(([key]) => !key.startsWith('@'));
  return Object.fromEntries(
    lasting.map(([key, value]) => [
      key,
      texts[key] ?? (typeof value === 'object' ? templateText(value, 'native') : value),
    ]),
  );
}
