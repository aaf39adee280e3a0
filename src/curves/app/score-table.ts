import { csvCell } from '../../platform/core/text/csv.ts';
import type { LineOptions } from './curve-line.ts';
import { type CurveBook, readCurveData } from './read-curves.ts';

const COLUMNS = ['task', 'algorithm', 'baseline', 'seed', 'y', 'final', 'best', 'area'];

/** What every seed came to, as CSV. */
export function scoreTable(book: CurveBook, options: LineOptions): string {
  const rows = book.view.tasks.flatMap((task) =>
    (readCurveData(book, task, options)?.lines ?? []).flatMap(({ algorithm, isBaseline, yName, seeds }) =>
      seeds.map(({ seed, final, best, area }) => [
        task,
        algorithm,
        isBaseline,
        seed,
        yName,
        final,
        best,
        area,
      ]),
    ),
  );
  return [COLUMNS, ...rows]
    .map((row) => `${row.map((cell) => csvCell(String(cell ?? ''))).join(',')}\n`)
    .join('');
}
