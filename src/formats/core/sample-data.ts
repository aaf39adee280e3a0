import type { JsonObject, JsonValue } from '../../platform/core/text/json.ts';
import { type Summary, summarize } from '../../stats/summary.ts';
import type { SampleSet, SeriesValue } from './sample.ts';
import { placeSamples } from './sample-paths.ts';

/**
 * The data.json of an experiment whose numbers a format read: the tree of medians, and under "detailed" the same
 * tree with summaries, as analysis scripts write it.
 */
export function samplesToData(samples: readonly SampleSet[]): JsonObject {
  const summaries = placeSamples(samples).map(({ set, path }) => ({ path, summary: summarize(set.values) }));
  const medians = tree(summaries.map(({ path, summary }) => ({ path, leaf: summary.median })));
  const details = tree(summaries.map(({ path, summary }) => ({ path, leaf: leafOf(summary) })));
  return summaries.length === 0
    ? {}
    : Object.fromEntries([...Object.entries(medians), ['detailed', details]]);
}

/** The same medians as values of series, which know their unit and direction. */
export function sampleValues(experiment: string, samples: readonly SampleSet[]): SeriesValue[] {
  return placeSamples(samples).map(({ set, path }) => ({
    experiment,
    path,
    value: summarize(set.values).median,
    unit: set.unit,
    better: set.better,
  }));
}

interface Leaf {
  readonly path: readonly string[];
  readonly leaf: JsonValue;
}

type Branch = Map<string, Branch | JsonValue>;

function tree(leaves: readonly Leaf[]): JsonObject {
  const root: Branch = new Map();
  for (const { path, leaf } of leaves) {
    let branch = root;
    for (const name of path.slice(0, -1)) {
      const next = branch.get(name);
      const below: Branch = next instanceof Map ? next : new Map();
      branch.set(name, below);
      branch = below;
    }
    branch.set(path.at(-1) ?? '', leaf);
  }
  return toObject(root);
}

/** Through entries, because assigning to "__proto__" would not make a key. */
function toObject(branch: Branch): JsonObject {
  return Object.fromEntries(
    [...branch].map(([name, value]) => [name, value instanceof Map ? toObject(value) : value]),
  );
}

function leafOf({ mean, median, std, min, max, n }: Summary): JsonObject {
  return { mean, median, std, min, max, n };
}
