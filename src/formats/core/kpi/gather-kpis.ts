import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import type { Interval } from '../../../stats/distributions.ts';
import { interquartileInterval, interquartileMean } from '../../../stats/means.ts';
import { gatheredSettings } from './gather.ts';
import { identityOf } from './key-text.ts';
import type { KpiDefinition, KpiValue } from './kpi.ts';
import type { Settings } from './matrix.ts';
import { seriesLabels } from './series-labels.ts';

/** The KPIs of one test, and what it was set to. */
export interface SetKpis {
  readonly settings: Settings;
  readonly values: readonly KpiValue[];
}

/** One KPI over the repetitions of a test, such as seeds: the interquartile mean of their values. */
export interface GatheredKpi {
  readonly definition: KpiDefinition;
  /** Null when no repetition has a single number. */
  readonly value: number | null;
  /** By resampling repetitions; absent below two values. */
  readonly interval?: Interval;
  /** So few values that the interval is narrower than it says. */
  readonly isFew: boolean;
  readonly values: readonly number[];
  /** Repetitions whose value is missing, or a list. */
  readonly missing: number;
  /** Those that all repetitions share. */
  readonly labels: JsonObject;
}

/** Tests that differ in rolling settings ("@seed") only become one; in the order of their first members. */
export function gatherKpis(tests: readonly SetKpis[]): readonly GatheredKpi[] {
  const groups = new Map<string, SetKpis[]>();
  for (const test of tests) {
    const identity = identityOf(gatheredSettings(test.settings) ?? test.settings);
    const group = groups.get(identity);
    if (group) group.push(test);
    else groups.set(identity, [test]);
  }
  return [...groups.values()].flatMap((members) => {
    const names = new Set(members.flatMap(({ values }) => values.map(({ definition }) => definition.name)));
    return [...names].flatMap((name) => gatherOne(name, members));
  });
}

/** No interval out of fewer values holds 95 %: even from the least to the greatest, n of them hold the median with 1 - 2^(1-n). */
const FEW = 6;

function gatherOne(name: string, members: readonly SetKpis[]): readonly GatheredKpi[] {
  const found = members.flatMap(
    ({ values }) => values.find(({ definition }) => definition.name === name) ?? [],
  );
  const [first] = found;
  if (!first) return [];
  const values = found.flatMap(({ value }) => (typeof value === 'number' ? [value] : []));
  return [
    {
      definition: first.definition,
      value: values.length === 0 ? null : interquartileMean(values),
      ...(values.length > 1 && { interval: interquartileInterval(values) }),
      isFew: values.length < FEW,
      values,
      missing: members.length - values.length,
      labels: sharedLabels(found),
    },
  ];
}

function sharedLabels(found: readonly KpiValue[]): JsonObject {
  const [first, ...others] = found.map(({ labels }) => seriesLabels(labels));
  const isShared = ([name, value]: [string, JsonValue | undefined]) =>
    others.every((labels) => JSON.stringify(labels[name]) === JSON.stringify(value));
  return Object.fromEntries(Object.entries(first ?? {}).filter(isShared));
}
