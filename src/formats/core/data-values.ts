import { failed, ok, type Result } from '../../platform/core/result.ts';
import { type ExactJson, JsonNumber } from '../../platform/core/text/exact-json.ts';
import type { SeriesValue } from './sample.ts';

/** The numbers of a data file as values of series, and what was left out, one sentence each. */
export interface DataValues {
  readonly values: readonly SeriesValue[];
  readonly leftOut: readonly string[];
}

/** A longer list holds raw measurements, not one number for each thing that is followed. */
const MAX_ITEMS = 100;
const MAX_VALUES = 10_000;
/** A file may have thousands of problems; only the first are reported. */
const MAX_NAMED = 100;

/** Every number of a data file, its keys (and positions in lists) as the path of its series. */
export function valuesOf(experiment: string, data: ExactJson): DataValues {
  const values: SeriesValue[] = [];
  const leftOut: string[] = [];
  let surplus = 0;
  for (const found of numbersIn(data, [])) {
    if (!found.ok) leftOut.push(found.error);
    else if (values.length < MAX_VALUES) values.push({ experiment, ...found.value });
    else surplus++;
  }
  if (surplus > 0) leftOut.push(`${surplus} numbers after the first ${MAX_VALUES}`);
  return { values, leftOut: shortened(leftOut) };
}

type Found = Result<Pick<SeriesValue, 'path' | 'value'>>;

function* numbersIn(data: ExactJson, path: readonly string[]): Generator<Found> {
  if (data instanceof JsonNumber) {
    const isUsable = Number.isFinite(data.value);
    yield isUsable
      ? ok({ path, value: data.value })
      : failed(`${nameOf(path)}: ${data.text.slice(0, 40)} is not a finite number`);
  } else if (data instanceof Map) {
    for (const [key, field] of data) yield* numbersIn(field, [...path, key]);
  } else if (Array.isArray(data)) {
    if (data.length > MAX_ITEMS)
      yield failed(`${nameOf(path)}: a list of ${data.length} items (at most ${MAX_ITEMS})`);
    else for (const [index, item] of data.entries()) yield* numbersIn(item, [...path, String(index)]);
  }
}

function nameOf(path: readonly string[]): string {
  return path.length === 0 ? 'the whole file' : path.join('.').slice(0, 200);
}

function shortened(names: readonly string[]): readonly string[] {
  if (names.length <= MAX_NAMED) return names;
  return [...names.slice(0, MAX_NAMED - 1), `and ${names.length - MAX_NAMED + 1} more`];
}
