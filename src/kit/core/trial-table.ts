import { DATA_KEYS } from '../../formats/core/sample-data.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { type CsvRecords, csvCell, readCsv } from '../../platform/core/text/csv.ts';
import type { JsonObject, JsonValue } from '../../platform/core/text/json.ts';

/** A value of a parameter, as a table of trials holds it: as text. */
export type Parameter = string | number | boolean;

/** Columns that follow the parameters in a table of trials. */
export const TRIAL_COLUMNS = ['rep', 'run', 'time'] as const;

export interface TimeSummary {
  readonly mean: number;
  readonly median: number;
  /** Of the population: the root of the mean of squared differences. */
  readonly std: number;
}

/** One line of a table: comma, quotes where they are needed, CRLF. */
export function tableRow(cells: readonly Parameter[]): string {
  return `${cells.map((cell) => csvCell(String(cell))).join(',')}\r\n`;
}

/** Each combination of the values, the last parameter fastest. */
export function* combinations(ranges: readonly (readonly Parameter[])[]): Generator<readonly Parameter[]> {
  const [first, ...rest] = ranges;
  if (first === undefined) {
    yield [];
    return;
  }
  for (const value of first) for (const others of combinations(rest)) yield [value, ...others];
}

export interface TrialQuery {
  /** For messages: which table. */
  readonly origin: string;
  readonly parameterNames: readonly string[];
  readonly match: Readonly<Record<string, Parameter>>;
  /** Repetitions from this one on are left out. */
  readonly reps: number;
}

/**
 * Mean, median and deviation of the times of the rows that match. Columns count by position, as a table that was only
 * appended to has no header.
 */
export function analyzeTable(text: string, query: TrialQuery): TimeSummary {
  const { origin, parameterNames, match, reps } = query;
  const columns = [...parameterNames, ...TRIAL_COLUMNS];
  const wanted = Object.entries(match).map(([name, value]) => {
    const place = columns.indexOf(name);
    if (place < 0) throw problem(`${origin} has no column "${name}": it has ${columns.join(', ')}`);
    return [place, String(value)] as const;
  });
  const times: number[] = [];
  for (const [index, cells] of readTable(text).entries()) {
    if (cells.length === columns.length && cells.every((cell, place) => cell === columns[place])) continue;
    if (!wanted.every(([place, value]) => cells[place] === value)) continue;
    if (!(Number(cells[columns.length - 3]) < reps)) continue;
    const time = Number(cells[columns.length - 1] || Number.NaN);
    if (!Number.isFinite(time))
      throw problem(`${origin}:${index + 1}: "${cells.at(-1) ?? ''}" is not a time`);
    times.push(time);
  }
  if (times.length === 0) {
    const filters = Object.entries(match).map(([name, value]) => `${name}=${value}`);
    throw problem(
      `${origin} has no row with ${filters.join(', ') || 'a time'} in its first ${reps} repetitions`,
    );
  }
  return summarizeTimes(times);
}

export function summarizeTimes(times: readonly number[]): TimeSummary {
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  const sorted = Float64Array.from(times).sort();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  const median = sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
  const std = Math.sqrt(times.reduce((sum, time) => sum + (time - mean) ** 2, 0) / times.length);
  return { mean, median, std };
}

/** Rows of a table with quotes; empty lines are skipped. */
export function readTable(text: string): CsvRecords {
  const found = readCsv(text);
  if ('records' in found) return found.records;
  throw problem(`A table has a quote that is not closed, in line ${found.brokenLine}`);
}

function problem(what: string): NightmarkError {
  return new NightmarkError('KIT_TRIALS', `${what}.`, {
    hint: 'Names and values must be those that the run stage used: nightmark time --help.',
  });
}

/**
 * The times of a table as the data of a night: {first parameter: {second: mean}}, and under "detailed" the same tree with
 * mean, median and deviation. A table without parameters has one value, "time".
 */
export function timesTree(text: string): JsonObject {
  const [header = [], ...rows] = readTable(text);
  const depth = Math.max(0, header.length - TRIAL_COLUMNS.length);
  const groups = new Map<string, { readonly path: readonly string[]; readonly times: number[] }>();
  for (const cells of rows) {
    const path = depth === 0 ? ['time'] : cells.slice(0, depth);
    const key = JSON.stringify(path);
    const group = groups.get(key) ?? { path, times: [] };
    groups.set(key, group);
    group.times.push(Number(cells.at(-1)));
  }
  const means: Tree = {};
  const detailed: Tree = {};
  for (const { path, times } of groups.values()) {
    const summary = summarizeTimes(times);
    put(means, path, summary.mean);
    put(detailed, path, { ...summary });
  }
  return groups.size === 0 ? {} : ({ ...means, detailed } as JsonObject);
}

/** One line for each number: "quick, 100: 1.234 ms"; details and times of day are left out. */
export function describeTimes(data: JsonObject): readonly string[] {
  const lines: string[] = [];
  const walk = (node: JsonValue, path: readonly string[]) => {
    if (typeof node === 'number') lines.push(`${path.join(', ')}: ${(node * 1000).toFixed(3)} ms`);
    else if (typeof node === 'object' && node !== null && !Array.isArray(node)) {
      for (const [key, item] of Object.entries(node)) if (!DATA_KEYS.has(key)) walk(item, [...path, key]);
    }
  };
  walk(data, []);
  return lines;
}

interface Tree {
  [key: string]: Tree | JsonValue;
}

function put(tree: Tree, path: readonly string[], value: JsonValue): void {
  let node = tree;
  for (const key of path.slice(0, -1)) {
    // A key such as "__proto__" is a key like any other.
    if (!Object.hasOwn(node, key)) define(node, key, {});
    node = node[key] as Tree;
  }
  define(node, path.at(-1) ?? '', value);
}

function define(node: Tree, key: string, value: Tree | JsonValue): void {
  Object.defineProperty(node, key, { value, enumerable: true, writable: true, configurable: true });
}
