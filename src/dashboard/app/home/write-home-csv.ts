import { plainCell } from '../../../platform/core/text/csv.ts';
import type { HomeExperiment, HomeRow, HomeValue, HomeValues, HomeView } from './home-view.ts';

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

/** A number that begins with its sign is no formula. */
function line(cells: readonly string[]): string {
  return `${cells.map((cell) => (NUMBER.test(cell) ? cell : plainCell(cell))).join(',')}\n`;
}

const NUMBER = /^-?\d[\d.]*(?:e[+-]?\d+)?$/;
