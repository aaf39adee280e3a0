import { type CsvRow, csvRows, numberIn } from '../../core/csv-rows.ts';
import type { Format } from '../../core/format.ts';
import { createLoadReading, type LoadReading, percentile } from '../../core/load-test.ts';

/** `PREFIX_stats.csv` of `locust --csv PREFIX`: https://docs.locust.io */
const locust: Format = {
  id: 'locust',
  title: 'Locust (--csv, PREFIX_stats.csv)',
  recognizes: [/^\uFEFF?"?Type"?,"?Name"?,"?Request Count"?,"?Failure Count"?,"?Median Response Time"?,/],
  read(text) {
    const reading = createLoadReading();
    for (const row of csvRows(text, NEEDED, HINT)) readRow(row, reading);
    return reading.finish(HINT);
  },
};

export default locust;

const HINT = 'Use PREFIX_stats.csv of "locust --headless --csv PREFIX"; the other three files are not read.';
const NEEDED = ['Type', 'Name', 'Request Count', 'Failure Count', 'Average Response Time', 'Requests/s'];
const STATISTICS = new Map([
  ['Average Response Time', 'mean'],
  ['Min Response Time', 'min'],
  ['Max Response Time', 'max'],
]);

function readRow(row: CsvRow, reading: LoadReading): void {
  const name = [row.get('Type'), row.get('Name')]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
  const target = { benchmark: [name] };
  const requests = numberIn(row, 'Request Count');
  if (requests === 0) {
    reading.builder.skipped.push(`${name} has no requests`);
    return;
  }
  reading.throughput(target, numberIn(row, 'Requests/s'));
  for (const column of row.keys()) {
    // "100%" is the maximum again, rounded.
    const statistic = STATISTICS.get(column) ?? (/^\d+(?:\.\d+)?%$/.test(column) ? percentile(column) : '');
    if (statistic === '' || column === '100%') continue;
    reading.latency(target, statistic, { value: numberIn(row, column), unit: 'ms' });
  }
  reading.errorRate(target, numberIn(row, 'Failure Count'), requests);
}
