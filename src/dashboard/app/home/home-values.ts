import type { Series } from '../../../formats/core/sample.ts';
import { SPARK_NIGHTS, VALUES_PER_PAGE } from '../../../home/core/home-pages.ts';
import type { Store } from '../../../home/core/store.ts';
import { readSeries } from '../../../judge/app/series/series-values.ts';
import { plainCell } from '../../../platform/core/text/csv.ts';
import type { HomeExperiment, HomeRow, HomeValue, HomeValues, HomeView } from './home-view.ts';

/** A judged value stays valid while neither its series nor its changes are newer. */
export type ValueCache = Map<number, { readonly key: string; readonly value: HomeValue }>;

const MOST_CACHED = 50_000;

/** One page of the values of the first page; `version` changes with what they depend on. */
export async function readHomeValues(
  { view, page, version }: { readonly view: HomeView; readonly page: number; readonly version: string },
  { store, cache }: { readonly store: Store; readonly cache: ValueCache },
): Promise<HomeValues> {
  const nights = view.nights
    .slice(0, SPARK_NIGHTS)
    .map(({ id }) => id)
    .reverse();
  const key = `${version} ${nights.at(-1)}`;
  const values: HomeValue[] = [];
  for (const row of view.rows.slice(page * VALUES_PER_PAGE, (page + 1) * VALUES_PER_PAGE)) {
    const known = cache.get(row.id);
    const value = known?.key === key ? known.value : await readValue(row, view, { store, nights });
    if (cache.size >= MOST_CACHED) cache.clear();
    // A value that is not judged yet may be the next time.
    if (value.newest) cache.set(row.id, { key, value });
    values.push(value);
  }
  return { values };
}

async function readValue(
  row: HomeRow,
  { experiments }: HomeView,
  { store, nights }: { readonly store: Store; readonly nights: readonly string[] },
): Promise<HomeValue> {
  const experiment = experiments[row.experiment];
  const series: Series = { ...row, experiment: experiment?.name ?? '' };
  const { times, values, runIds, newest, drift } = await readSeries(store, series, SPARK_NIGHTS);
  const byRun = new Map(runIds.map((id, place) => [id, values[place]]));
  // Imports have times of their own.
  const places = experiment?.isImported ? runIds : nights;
  const [value, at] = [values.at(-1), times.at(-1)];
  return {
    id: row.id,
    spark: places.map((id) => fourDigits(byRun.get(id))),
    ...(value !== undefined && { value }),
    ...(at !== undefined && { at }),
    ...(newest && { newest }),
    ...(drift && { drift }),
  };
}

function fourDigits(value: number | undefined): number | null {
  return value === undefined || !Number.isFinite(value) ? null : Number(value.toPrecision(4));
}

const COLUMNS = 'experiment,title,state,value,unit,newest,at,change,low,high,verdict\n';

/** The table of the first page, a page of values after the other; an experiment without a value has a line, too. */
export async function* homeCsv(
  { experiments, rows }: HomeView,
  pageOf: (page: number) => Promise<HomeValues>,
): AsyncIterable<string> {
  yield COLUMNS;
  const withValues = new Set(rows.map(({ experiment }) => experiment));
  for (const [place, experiment] of experiments.entries())
    if (!withValues.has(place)) yield line([...namesOf(experiment), '', '', '', '', '', '', '', '']);
  let done = 0;
  for (let page = 0; done < rows.length; page++) {
    const { values } = await pageOf(page);
    if (values.length === 0) return;
    yield values.map((value, place) => valueLine(experiments, rows[done + place], value)).join('');
    done += values.length;
  }
}

function valueLine(
  experiments: readonly HomeExperiment[],
  row: HomeRow | undefined,
  { value, at, newest }: HomeValue,
): string {
  const experiment = row && experiments[row.experiment];
  if (row === undefined || experiment === undefined) return '';
  const { relative } = newest?.shift ?? {};
  const numbers = [relative?.change, relative?.low, relative?.high].map(numberText);
  const when = at === undefined ? '' : new Date(at).toISOString();
  const verdict = newest?.verdict ?? '';
  return line([
    ...[...namesOf(experiment), row.path.join(' / '), row.unit, numberText(value), when],
    ...[...numbers, verdict],
  ]);
}

function namesOf({ name, title = '', state }: HomeExperiment): readonly string[] {
  return [name, title, state];
}

function numberText(value: number | undefined): string {
  return value === undefined ? '' : String(value);
}

/** A number that begins with its sign is not a formula. */
function line(cells: readonly string[]): string {
  return `${cells.map((cell) => (NUMBER.test(cell) ? cell : plainCell(cell))).join(',')}\n`;
}

const NUMBER = /^-?\d[\d.]*(?:e[+-]?\d+)?$/;
