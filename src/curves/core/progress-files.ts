import { cellNumber } from '../../formats/core/cell.ts';
import { parseCsv } from '../../platform/core/text/csv.ts';
import { isJsonObject, type JsonValue } from '../../platform/core/text/json.ts';
import { type CurveTable, usualNames } from './curve-table.ts';
import { baselineName } from './name-curve.ts';

export interface ProgressTable {
  /** All columns of the file. */
  readonly names: readonly string[];
  /** The usual axes of a learning curve, and the requested columns; all where there are no usual ones. */
  readonly columns: ReadonlyMap<string, Float64Array>;
}

/**
 * The numbers of a progress.csv by the names of their columns, whose order is another in every run. A last line without
 * its end is still being written and left out. Undefined where it is not a table.
 */
export function progressColumns(text: string, requested: readonly string[] = []): ProgressTable | undefined {
  const whole = /[\r\n]$/.test(text) ? text : text.slice(0, Math.max(0, text.lastIndexOf('\n') + 1));
  const [header] = parseCsv(whole.slice(0, whole.search(/[\r\n]/) + 1)) ?? [];
  if (header === undefined) return undefined;
  const { x, y } = usualNames(header);
  const wanted = x !== undefined && y !== undefined ? new Set([x, y, ...requested]) : new Set(header);
  const places = header.flatMap((name, place) => (name !== '' && wanted.has(name) ? [place] : []));
  // Most files are plain: then only the cells that are wanted are cut out, which is many times quicker.
  const rows = whole.includes('"') ? quotedRows(whole, places) : plainRows(whole, places);
  const columns = new Map<string, Float64Array>();
  for (const [index, place] of places.entries()) {
    const values = Float64Array.from(rows, (row) => row[index] ?? Number.NaN);
    if (!values.every(Number.isNaN)) columns.set(header[place] ?? '', values);
  }
  return columns.size > 1 ? { names: header.filter((name) => name !== ''), columns } : undefined;
}

function quotedRows(text: string, places: readonly number[]): readonly (readonly number[])[] {
  return (parseCsv(text) ?? []).slice(1).map((row) => places.map((place) => numberIn(row[place])));
}

function plainRows(text: string, places: readonly number[]): readonly (readonly number[])[] {
  const lines = text.split(text.includes('\r') ? /\r\n|\n|\r/ : '\n');
  return lines.slice(1).flatMap((line) => (line === '' ? [] : [cellsAt(line, places)]));
}

/** Numbers at ascending places of a line. */
function cellsAt(line: string, places: readonly number[]): readonly number[] {
  const found: number[] = [];
  let [start, at] = [0, 0];
  for (const place of places) {
    while (at < place && start >= 0) {
      const comma = line.indexOf(',', start);
      start = comma < 0 ? -1 : comma + 1;
      at++;
    }
    if (start < 0) found.push(Number.NaN);
    else {
      const end = line.indexOf(',', start);
      found.push(numberIn(end < 0 ? line.slice(start) : line.slice(start, end)));
    }
  }
  return found;
}

/** What is empty, nan, infinite or text is a gap; True and False are 1 and 0, as Python counts them. */
function numberIn(cell: string | undefined): number {
  if (cell === 'True') return 1;
  if (cell === 'False') return 0;
  const value = cellNumber(cell);
  return typeof value === 'number' && Number.isFinite(value) ? value : Number.NaN;
}

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
