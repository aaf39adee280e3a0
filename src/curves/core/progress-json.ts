import { isJsonObject, type JsonValue } from '../../platform/core/text/json.ts';
import type { CurveTable } from './curve-table.ts';
import { baselineName } from './name-curve.ts';

/**
 * progress.json of the first Garage benchmarks: algorithm > task > trail_N > garage or baselines, alone or compiled
 * under "algos" with a commit. Only the seed of the last trial is known there. Empty where it is something else.
 */
export function progressTables(document: JsonValue, edition: string): readonly CurveTable[] {
  if (!isJsonObject(document)) return [];
  const { algos, githash } = document;
  const commit = typeof githash === 'string' && githash !== '' ? { commit: githash } : {};
  const found: CurveTable[] = [];
  for (const [algorithm, tasks] of entriesOf(isJsonObject(algos) ? algos : document)) {
    for (const [task, trials] of entriesOf(tasks)) {
      const runs = entriesOf(trials).filter(([name]) => /^tr[ai]+l_/.test(name));
      const last = isJsonObject(trials) ? trials['seed'] : undefined;
      for (const [place, [trial, sides]] of runs.entries()) {
        const seed = place === runs.length - 1 && typeof last === 'number' ? `seed ${last}` : trial;
        for (const [side, run] of entriesOf(sides)) {
          const columns = columnsOf(run);
          if (!columns) continue;
          const isBaseline = side === 'baselines' || side === 'benchmark';
          const other = side === 'garage' ? algorithm : `${algorithm} ${side}`;
          const name = isBaseline ? baselineName(algorithm) : other;
          found.push({ task, algorithm: name, isBaseline, seed, edition, columns, ...commit });
        }
      }
    }
  }
  return found;
}

/** <task>_<algorithm>.json of the later ones: a mean with its band. Undefined where it is something else. */
export function autoTable(document: JsonValue, name: string, edition: string): CurveTable | undefined {
  const [, task, algorithm] = /^([^_]+)_(.+)\.json$/.exec(name) ?? [];
  if (task === undefined || algorithm === undefined || !isJsonObject(document)) return undefined;
  const { xlabel, ylabel, git_hash: commit } = document;
  const [x, y, low, high] = ['x', 'y', 'y_min', 'y_max'].map((key) => numbersOf(document[key]));
  if (!x || !y || x.length !== y.length) return undefined;
  const columns = new Map([
    [typeof xlabel === 'string' ? xlabel : 'x', x],
    [typeof ylabel === 'string' ? ylabel : 'y', y],
  ]);
  return {
    ...{ task, algorithm, isBaseline: false, edition, columns },
    ...(low?.length === x.length && high?.length === x.length && { band: { low, high } }),
    ...(typeof commit === 'string' && { commit }),
  };
}

function entriesOf(value: JsonValue | undefined): readonly (readonly [string, JsonValue])[] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

function columnsOf(run: JsonValue): ReadonlyMap<string, Float64Array> | undefined {
  if (!isJsonObject(run)) return undefined;
  const steps = numbersOf(run['time_steps']);
  const values = numbersOf(run['return'] ?? run['average_return']);
  if (!steps || !values || steps.length !== values.length) return undefined;
  return new Map([
    ['time_steps', steps],
    ['return', values],
  ]);
}

/** A list, or a column of pandas: an object keyed by the number of the row. */
function numbersOf(value: JsonValue | undefined): Float64Array | undefined {
  const list = Array.isArray(value) ? value : isJsonObject(value) ? byRow(value) : undefined;
  return list && Float64Array.from(list, (one) => (typeof one === 'number' ? one : Number.NaN));
}

function byRow(column: { readonly [row: string]: JsonValue }): readonly JsonValue[] {
  return Object.entries(column)
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([, value]) => value);
}
