import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import { showCell } from '../../core/cell.ts';
import type { ReadingBuilder } from '../../core/reading.ts';
import type { SampleSet } from '../../core/sample.ts';

interface Benchmark {
  readonly name: string;
  /** Its columns by name; those that were cut off are null. */
  readonly row: JsonObject;
  /** What benchmarks.json says about it; empty where it is not at hand. */
  readonly about: JsonObject;
  /** Of the whole file: asv keeps series apart by machine and environment. */
  readonly settings: SampleSet['settings'];
}

/** Adds the values of one benchmark, one set for each combination of its parameters. */
export function addBenchmark({ name, row, about, settings }: Benchmark, reading: ReadingBuilder): void {
  const version = about['version'];
  if (typeof version === 'string' && typeof row['version'] === 'string' && row['version'] !== version) {
    reading.skipped.push(`${name} is of another version of the benchmark`);
    return;
  }
  const combinations = combine(listsOf(row['params']), namesOf(about));
  const results = row['result'];
  if (!Array.isArray(results)) {
    reading.failed.push(`${name} has no result`);
    return;
  }
  for (const [index, result] of (results as readonly JsonValue[]).entries()) {
    const own = combinations(index);
    const where = () => [name, ...Object.entries(own).map(([key, value]) => `${key}=${value}`)].join(' ');
    const key = {
      benchmark: name.split('.'),
      metric: METRIC,
      unit: unitOf(name, about),
      settings: { ...own, ...settings },
    };
    addResult({ result, samples: itemOf(row['samples'], index), where, add: reading.set(key) }, reading);
  }
}

interface Cell {
  readonly result: JsonValue;
  readonly samples: JsonValue | undefined;
  readonly where: () => string;
  readonly add: (value: number, where: () => string) => void;
}

/** null: it failed. NaN: it does not apply to these parameters. */
function addResult({ result, samples, where, add }: Cell, reading: ReadingBuilder): void {
  const raw = Array.isArray(samples) ? samples.filter((value) => typeof value === 'number') : [];
  if (result === null) reading.failed.push(`${where()} failed`);
  else if (typeof result !== 'number') reading.failed.push(`${where()} is ${showCell(result)}, not a number`);
  else if (Number.isNaN(result)) reading.skipped.push(`${where()} was skipped`);
  else for (const value of raw.length > 0 ? raw : [result]) add(value, where);
}

/** One for all, so that the place of a series does not depend on which other benchmarks were run. */
const METRIC = 'value';

/** Without benchmarks.json the name tells: asv chooses the kind by its beginning. */
function unitOf(name: string, about: JsonObject): string {
  const given = about['unit'];
  if (typeof given === 'string' && given !== 'unit') return given;
  const kind = /(?:^|\.)(time|peakmem|mem)[^.]*$/i.exec(name)?.[1]?.toLowerCase();
  return kind === undefined ? '' : kind === 'time' ? 'seconds' : 'bytes';
}

function listsOf(params: JsonValue | undefined): readonly (readonly JsonValue[])[] {
  return Array.isArray(params)
    ? (params as readonly JsonValue[]).map((list) => (Array.isArray(list) ? list : []))
    : [];
}

function namesOf(about: JsonObject): readonly string[] {
  const names = about['param_names'];
  return Array.isArray(names) ? names.map(String) : [];
}

/** All combinations in order, the last parameter changing fastest. */
function combine(lists: readonly (readonly JsonValue[])[], names: readonly string[]) {
  return (index: number): Readonly<Record<string, string>> => {
    let rest = index;
    const chosen = lists
      .map((list, place) => [names[place] ?? `param${place + 1}`, list] as const)
      .toReversed()
      .map(([name, list]) => {
        const size = Math.max(1, list.length);
        const value = list[rest % size];
        rest = Math.floor(rest / size);
        return [name, typeof value === 'string' ? value : showCell(value ?? null)] as const;
      });
    return Object.fromEntries(chosen.toReversed());
  };
}

function itemOf(list: JsonValue | undefined, index: number): JsonValue | undefined {
  return Array.isArray(list) ? (list as readonly JsonValue[])[index] : undefined;
}
