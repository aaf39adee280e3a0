import type { SampleSet } from '../../../formats/core/sample.ts';
import { stableSamples } from '../../../formats/core/stable-names.ts';
import { directionFinder } from '../../../home/core/changes/directions.ts';
import { median } from '../../../stats/summary.ts';
import type { SeriesSides } from './compare-series.ts';

/** Samples of one result file. */
export type FileSamples = readonly SampleSet[];

export interface FileSides {
  readonly base: readonly FileSamples[];
  readonly head: readonly FileSamples[];
}

/**
 * The series of two result files, or of many of them. Of one file on a side its samples are the values; of several each file
 * is a run, and the median of its samples is one value.
 */
export function fileSeries({ base, head }: FileSides, better?: 'lower' | 'higher'): readonly SeriesSides[] {
  const sets = [...base, ...head].flat();
  const hasOneMetric = new Set(sets.map(({ metric }) => metric)).size === 1;
  const before = valuesByName(base, hasOneMetric);
  const after = valuesByName(head, hasOneMetric);
  const directionOf = directionFinder([]);
  return [...new Map([...before, ...after])].map(([key, { set, name }]): SeriesSides => {
    const [experiment = '', ...path] = name;
    const { unit, metric } = set;
    const given = set.better === 'unknown' ? (better ?? set.better) : set.better;
    const found = directionOf({
      series: { kind: 'value', experiment, path },
      ...{ better: given, unit, metric },
    });
    return {
      series: { experiment, path, unit, ...found },
      base: Float64Array.from(before.get(key)?.values ?? []),
      head: Float64Array.from(after.get(key)?.values ?? []),
      past: [],
      hasFailed: false,
    };
  });
}

interface NamedValues {
  readonly set: SampleSet;
  readonly name: readonly string[];
  readonly values: number[];
}

function valuesByName(files: readonly FileSamples[], hasOneMetric: boolean): Map<string, NamedValues> {
  const found = new Map<string, NamedValues>();
  for (const samples of files) {
    for (const set of stableSamples(samples, { commits: {} })) {
      const finite = set.values.filter(Number.isFinite);
      if (finite.length === 0) continue;
      const name = nameOf(set, hasOneMetric);
      const key = JSON.stringify([name, set.unit]);
      const known = found.get(key) ?? { set, name, values: [] };
      found.set(key, known);
      known.values.push(...(files.length === 1 ? finite : [median(finite)]));
    }
  }
  return found;
}

function nameOf({ benchmark, metric, settings }: SampleSet, hasOneMetric: boolean): readonly string[] {
  const parameters = Object.entries(settings).map(([key, value]) => `${key}=${value}`);
  const name = [...benchmark, ...(hasOneMetric ? [] : [metric]), ...parameters];
  return name.length === 0 ? [metric] : name;
}
