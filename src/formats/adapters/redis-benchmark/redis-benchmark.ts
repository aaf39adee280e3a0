import { NightmarkError } from '../../../platform/core/errors.ts';
import type { Format } from '../../core/format.ts';
import { createReading, type ReadingBuilder } from '../../core/reading-builder.ts';
import { printedLines } from '../../core/text-lines.ts';

/** `redis-benchmark --csv` since Redis 6.2, and its relatives: https://redis.io/docs/latest/operate/oss_and_stack/management/optimization/benchmarks */
const redisBenchmark: Format = {
  id: 'redis-benchmark',
  title: 'redis-benchmark (--csv)',
  recognizes: [/^\uFEFF?"test","rps","avg_latency_ms"/m],
  read(text) {
    const reading = createReading();
    let columns: readonly string[] = [];
    for (const [index, line] of printedLines(text).entries()) {
      const cells = line.startsWith('"') ? cellsOf(line) : [];
      if (cells[0] === 'test' && cells[1] === 'rps') columns = cells;
      else if (line.startsWith('"') && columns.length > 0)
        readRow(cells, { columns, place: `line ${index + 1}`, reading });
      else if (/^(?:Error|ERR|Could not|Server)\b/.test(line)) reading.failed.push(line.trim());
    }
    const { samples, failed, skipped } = reading.finish();
    if (columns.length === 0 || samples.length + failed.length + skipped.length === 0)
      throw new NightmarkError('IMPORT_NO_NUMBERS', 'There is no row of a test below "test","rps", ...', {
        hint: 'Use the output of "redis-benchmark --csv", of Redis 6.2 or later, and check that the server runs.',
      });
    return { samples, failed, skipped };
  },
};

export default redisBenchmark;

/** All cells are quoted, and none has a line end in it; a cell that is cut off is none. */
function cellsOf(line: string): readonly string[] {
  return [...line.matchAll(/"((?:[^"]|"")*)"(?:,|$)/g)].map(([, cell = '']) => cell.replaceAll('""', '"'));
}

interface Row {
  readonly columns: readonly string[];
  readonly place: string;
  readonly reading: ReadingBuilder;
}

function readRow(cells: readonly string[], { columns, place, reading }: Row): void {
  const [test = ''] = cells;
  if (cells.length !== columns.length) {
    reading.failed.push(`${place} has ${cells.length} of ${columns.length} cells`);
    return;
  }
  if (test.includes('(needed to benchmark')) {
    reading.skipped.push(`${test}: it prepares another test`);
    return;
  }
  // "LRANGE_100 (first 100 elements)": what is in brackets explains the name.
  const benchmark = [test.replace(/ \([^()]*\)$/, '')];
  for (const [index, column] of columns.entries()) {
    if (index === 0) continue;
    const [, statistic] = /^(\w+)_latency_ms$/.exec(column) ?? [];
    const known = statistic === undefined ? undefined : { metric: `latency.${statistic}`, unit: 'ms' };
    const key = column === 'rps' ? { metric: 'rps', unit: '1/s' } : (known ?? { metric: column, unit: '' });
    const [cell = '', where] = [cells[index], () => `${place}, ${test}: ${column}`];
    if (/^\d/.test(cell)) reading.set({ benchmark, ...key })(Number(cell), where);
    else reading.failed.push(`${where()} is ${JSON.stringify(cell)}, not a number`);
  }
}
