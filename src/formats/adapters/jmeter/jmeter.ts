import { type CsvRow, csvRows, numberIn } from '../../core/csv-rows.ts';
import type { Format, FormatReading } from '../../core/format.ts';
import { createLoadReading, type LoadReading } from '../../core/load-test.ts';

/** The results of `jmeter -n -t PLAN -l FILE.jtl` as CSV: https://jmeter.apache.org */
const jmeter: Format = {
  id: 'jmeter',
  title: 'JMeter (-l FILE.jtl, as CSV)',
  recognizes: [/^\uFEFF?timeStamp,elapsed,label,/, /^.*,success(?:,|\r?$)/m],
  read: (text) => readSamples(rowsOf(text)),
  readRuns(text) {
    const rows = rowsOf(text);
    const at = startOf(rows);
    return [{ ...readSamples(rows), ...(Number.isFinite(at) && { at }) }];
  },
};

export default jmeter;

const HINT = 'Use the file of "jmeter -n -t PLAN -l FILE.jtl", written as CSV with its header line.';

function rowsOf(text: string): readonly CsvRow[] {
  return csvRows(text, ['timeStamp', 'elapsed', 'label', 'success'], HINT);
}

function readSamples(rows: readonly CsvRow[]): FormatReading {
  const reading = createLoadReading();
  const byLabel = new Map<string, CsvRow[]>();
  for (const [index, row] of rows.entries()) {
    const label = row.get('label') ?? '';
    // Also what a killed JMeter left of its last line.
    if (label === '' || !/^(?:true|false)$/i.test(row.get('success') ?? '')) {
      reading.builder.failed.push(`row ${index + 1} has no label, or does not say whether it was a success`);
      continue;
    }
    const group = byLabel.get(label) ?? [];
    group.push(row);
    byLabel.set(label, group);
  }
  for (const [label, group] of byLabel) readLabel(label, group, reading);
  return reading.finish(HINT);
}

function readLabel(label: string, rows: readonly CsvRow[], reading: LoadReading): void {
  const target = { benchmark: [label] };
  const add = reading.builder.set({ ...target, metric: 'latency', unit: 'ms', better: 'lower' });
  let failed = 0;
  for (const [index, row] of rows.entries()) {
    const where = () => `${label}, sample ${index + 1}`;
    if (row.get('success')?.toLowerCase() === 'true') {
      add(numberIn(row, 'elapsed'), () => `${where()}: "elapsed"`);
      continue;
    }
    failed++;
    const why =
      row.get('failureMessage') || `${row.get('responseCode') ?? ''} ${row.get('responseMessage') ?? ''}`;
    reading.builder.failed.push(`${where()} failed: ${why.trim()}`);
  }
  const seconds = durationOf(rows);
  if (seconds > 0) reading.throughput(target, rows.length / seconds);
  reading.errorRate(target, failed, rows.length);
}

/** From the first start to the last end, in seconds; NaN where times are written as dates. */
function durationOf(rows: readonly CsvRow[]): number {
  const end = rows.reduce((last, row) => {
    const ended = numberIn(row, 'timeStamp') + numberIn(row, 'elapsed');
    return ended > last ? ended : last;
  }, Number.NEGATIVE_INFINITY);
  return (end - startOf(rows)) / 1000;
}

/** Rows are in the order of their ends. */
function startOf(rows: readonly CsvRow[]): number {
  return rows.reduce((first, row) => {
    const started = numberIn(row, 'timeStamp');
    return started < first ? started : first;
  }, Number.POSITIVE_INFINITY);
}
