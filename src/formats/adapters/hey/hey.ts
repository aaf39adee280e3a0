import { NightmarkError } from '../../../platform/core/errors.ts';
import { csvRows, numberIn } from '../../core/csv-rows.ts';
import type { Format, FormatReading } from '../../core/format.ts';
import { createLoadReading, percentile } from '../../core/load-test.ts';

/** What hey prints, and its `-o csv`: https://github.com/rakyll/hey */
const hey: Format = {
  id: 'hey',
  title: 'hey (what it prints, or -o csv)',
  recognizes: (head) =>
    CSV_HEADER.test(head) || [SUMMARY, /^Response time histogram:/m, REQUESTS].every((one) => one.test(head))
      ? 'sure'
      : 'no',
  read: (text) => (CSV_HEADER.test(text) ? readRequests(text) : readSummary(text)),
};

export default hey;

const HINT = 'Use all that "hey URL" prints, or the table of "hey -o csv URL".';
const CSV_HEADER = /^\uFEFF?response-time,DNS\+dialup,DNS,Request-write,Response-delay,Response-read/;
const SUMMARY = /^Summary:\s*$/m;
const REQUESTS = /^\s+Requests\/sec:\s+([\d.]+)\s*$/m;
/** hey does not say what it called. */
const TARGET = { benchmark: [] };
const STATISTICS = [
  ['Average', 'mean'],
  ['Fastest', 'min'],
  ['Slowest', 'max'],
] as const;

function readSummary(text: string): FormatReading {
  const rate = REQUESTS.exec(text)?.[1];
  if (!SUMMARY.test(text) || rate === undefined || !/^Status code distribution:/m.test(text))
    throw new NightmarkError('IMPORT_SHAPE', 'It is not the whole output of hey.', { hint: HINT });
  const reading = createLoadReading();
  const { answered, refused, unanswered } = countsOf(text);
  for (const [, count, message] of text.matchAll(/^\s+\[(\d+)\]\t(?!\d+ responses)(\S.*)$/gm))
    reading.builder.failed.push(`${count} requests failed: ${message}`);
  reading.errorRate(TARGET, refused + unanswered, answered + unanswered);
  // Without an answer all times are zeros.
  if (answered === 0) return reading.finish(HINT);
  reading.throughput(TARGET, Number(rate));
  for (const [label, statistic] of STATISTICS) {
    const value = new RegExp(String.raw`^\s+${label}:\s+(\S+) secs`, 'm').exec(text)?.[1];
    if (value !== undefined) reading.latency(TARGET, statistic, { value: Number(value), unit: 's' });
  }
  // A percentile without a request is printed as "0% in 0.0000 secs".
  for (const [, share = '', value] of text.matchAll(/^\s+([1-9]\d*(?:\.\d+)?)%+ in ([\d.]+) secs/gm))
    reading.latency(TARGET, percentile(share), { value: Number(value), unit: 's' });
  return reading.finish(HINT);
}

interface Counts {
  readonly answered: number;
  /** Answered with a status of 400 or more. */
  readonly refused: number;
  readonly unanswered: number;
}

function countsOf(text: string): Counts {
  const answers = [...text.matchAll(/^\s+\[(\d+)\]\t(\d+) responses/gm)];
  const [, errors = ''] = text.split(/^Error distribution:/m);
  const sum = (counts: readonly (string | undefined)[]) =>
    counts.reduce((total, count) => total + Number(count), 0);
  return {
    answered: sum(answers.map(([, , count]) => count)),
    refused: sum(answers.filter(([, status]) => Number(status) >= 400).map(([, , count]) => count)),
    unanswered: sum([...errors.matchAll(/^\s+\[(\d+)\]/gm)].map(([, count]) => count)),
  };
}

/** One row a request that was answered; hey leaves out the others. */
function readRequests(text: string): FormatReading {
  const reading = createLoadReading();
  const rows = csvRows(text, ['response-time'], HINT);
  const add = reading.builder.set({ ...TARGET, metric: 'latency', unit: 's', better: 'lower' });
  let refused = 0;
  for (const [index, row] of rows.entries()) {
    const status = row.get('status-code') ?? '200';
    if (Number(status) < 400) add(numberIn(row, 'response-time'), () => `row ${index + 1}: "response-time"`);
    else reading.builder.failed.push(`row ${index + 1} was answered with status ${status}`);
    if (!(Number(status) < 400)) refused++;
  }
  reading.errorRate(TARGET, refused, rows.length);
  return reading.finish(HINT);
}
