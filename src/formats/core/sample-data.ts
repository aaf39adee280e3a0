import type { JsonObject, JsonValue } from '../../platform/core/text/json.ts';
import { type Summary, summarize } from '../../stats/summary.ts';
import { isOfCommand, type SampleSet, type SeriesValue } from './sample.ts';

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
    ...(path.at(-1) !== set.metric && { metric: set.metric }),
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

/** A set with values and the place of its number in the data file. */
interface PlacedSet {
  readonly set: SampleSet;
  readonly path: readonly string[];
}

/**
 * Where each set goes in the data file: benchmark, settings as "k=v", and the metric when there are several, or when it is a
 * measure of the command.
 * No path is the beginning of another and no two are equal, so that each is a leaf. Sets without values have no place.
 */
export function placeSamples(samples: readonly SampleSet[]): readonly PlacedSet[] {
  const sets = samples.filter(({ values }) => values.length > 0);
  const results = sets.filter((set) => !isOfCommand(set));
  const isOneMetric = new Set(results.map(({ metric }) => metric)).size <= 1;
  const wanted = sets.map((set) => ({ set, path: wantedPath(set, isOneMetric && !isOfCommand(set)) }));
  const branches = new Set(wanted.flatMap(({ path }) => properPrefixes(path)).map(keyOf));
  const taken = new Set<string>();
  const place = ({ set, path }: PlacedSet): PlacedSet => {
    const isBranch = branches.has(keyOf(path));
    const free = freePath(isBranch ? [...path, nameable(set.metric)] : path, branches, taken);
    taken.add(keyOf(free));
    return { set, path: free };
  };
  // Who can have the wanted place gets it before those who must move look for another.
  const settled = wanted.map((one) => (branches.has(keyOf(one.path)) ? undefined : place(one)));
  return wanted.map((one, index) => settled[index] ?? place(one));
}

function wantedPath(set: SampleSet, isOneMetric: boolean): readonly string[] {
  const settings = Object.entries(set.settings).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const path = [...set.benchmark, ...settings.map(([key, value]) => `${key}=${value}`)].map(nameable);
  return isOneMetric && path.length > 0 ? path : [...path, nameable(set.metric)];
}

function nameable(name: string): string {
  return DATA_KEYS.has(name) ? `${name}_` : name;
}

/** The path itself, or with "(2)", "(3)" ... at its last name while that place is taken. */
function freePath(path: readonly string[], branches: ReadonlySet<string>, taken: ReadonlySet<string>) {
  const last = path.at(-1) ?? '';
  let free = path;
  for (let number = 2; branches.has(keyOf(free)) || taken.has(keyOf(free)); number++) {
    free = [...path.slice(0, -1), `${last} (${number})`];
  }
  return free;
}

function properPrefixes(path: readonly string[]): readonly (readonly string[])[] {
  return path.slice(1).map((_, index) => path.slice(0, index + 1));
}

function keyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}

/** Keys of a data file with a meaning of their own, at every level: no value is named so. */
export const DATA_KEYS: ReadonlySet<string> = new Set([
  'timestamp',
  'tvm_hash',
  'sources',
  'detailed',
  'start_time',
  'end_time',
  'time_delta',
  'success',
  'run_cpu_telemetry',
  'run_gpu_telemetry',
]);
