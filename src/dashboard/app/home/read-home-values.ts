import type { Series } from '../../../formats/core/sample.ts';
import { SPARK_NIGHTS, VALUES_PER_PAGE } from '../../../home/core/home-pages.ts';
import type { Store } from '../../../home/core/store.ts';
import { readSeries } from '../../../judge/app/series/series-values.ts';
import type { HomeRow, HomeValue, HomeValues, HomeView } from './home-view.ts';

/** What was judged stays good while neither the series nor what is known of its changes is newer. */
export type ValueMemory = Map<number, { readonly key: string; readonly value: HomeValue }>;

const MOST_REMEMBERED = 50_000;

/** One page of the values of the first page; `version` tells what they rest on. */
export async function readHomeValues(
  { view, page, version }: { readonly view: HomeView; readonly page: number; readonly version: string },
  { store, memory }: { readonly store: Store; readonly memory: ValueMemory },
): Promise<HomeValues> {
  const nights = view.nights
    .slice(0, SPARK_NIGHTS)
    .map(({ id }) => id)
    .reverse();
  const key = `${version} ${nights.at(-1)}`;
  const values: HomeValue[] = [];
  for (const row of view.rows.slice(page * VALUES_PER_PAGE, (page + 1) * VALUES_PER_PAGE)) {
    const known = memory.get(row.id);
    const value = known?.key === key ? known.value : await readValue(row, view, { store, nights });
    if (memory.size >= MOST_REMEMBERED) memory.clear();
    memory.set(row.id, { key, value });
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
  // Imports have moments of their own.
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
