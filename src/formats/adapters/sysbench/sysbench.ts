import { NightmarkError } from '../../../platform/core/errors.ts';
import type { Format } from '../../core/format.ts';
import { createReading, type ReadingBuilder, type SetKey } from '../../core/reading-builder.ts';
import type { SampleSet } from '../../core/sample.ts';
import { printedLines } from '../../core/text-lines.ts';

/** What `sysbench TEST run` prints: https://github.com/akopytov/sysbench */
const sysbench: Format = {
  id: 'sysbench',
  title: 'sysbench (its output)',
  recognizes: [/^sysbench \d+\.\d+/m, /^(?:Running the test with following options:|General statistics:)/m],
  read(text) {
    const reading = createReading();
    const runs = runsOf(printedLines(text)).filter((lines) => lines.some((line) => RUNNING.test(line)));
    if (runs.length === 0)
      throw new NightmarkError('IMPORT_NO_NUMBERS', 'No test was run in it.', {
        hint: 'Use the output of "sysbench TEST run"; that of "prepare" and "cleanup" has no results.',
      });
    const counts = new Map<string, number>();
    for (const lines of runs) readRun(lines, nameOf(lines, counts), reading);
    return reading.finish();
  },
};

export default sysbench;

const RUNNING = /^Running the test with following options:/;

/** The lines of each run, where the output of several is in one file. */
function runsOf(lines: readonly string[]): readonly (readonly string[])[] {
  const runs: string[][] = [];
  for (const line of lines) {
    if (runs.length === 0 || /^sysbench \d+\.\d+/.test(line)) runs.push([]);
    runs.at(-1)?.push(line);
  }
  return runs;
}

/** The name of the test is not printed: it follows from what is printed. */
const TESTS: readonly (readonly [name: string, sign: RegExp])[] = [
  ['cpu', /^Prime numbers limit: /],
  ['memory', /^Running memory speed test/],
  ['fileio', /^Extra file open flags: /],
  ['sql', /^SQL statistics:/],
];

const SETTINGS: readonly (readonly [name: string, value: RegExp])[] = [
  ['threads', /^Number of threads: (\d+)/],
  ['cpu-max-prime', /^Prime numbers limit: (\d+)/],
  ['memory-block-size', /^\s+block size: (\S+)/],
  ['memory-oper', /^\s+operation: (\S+)/],
  ['memory-scope', /^\s+scope: (\S+)/],
  ['file-block-size', /^Block size (\S+)/],
  ['file-test-mode', /^Doing (.+) test$/],
];

const METRICS: readonly (readonly [line: RegExp, metric: string, unit: string])[] = [
  [/^\s+events per second:\s+(\S+)/, 'events', '1/s'],
  [/^Total operations: \d+ \((\S+) per second\)/, 'operations', '1/s'],
  [/ MiB transferred \((\S+) MiB\/sec\)/, 'throughput', 'MiB/s'],
  [/^\s+reads\/s:\s+(\S+)/, 'reads', '1/s'],
  [/^\s+writes\/s:\s+(\S+)/, 'writes', '1/s'],
  [/^\s+fsyncs\/s:\s+(\S+)/, 'fsyncs', '1/s'],
  [/^\s+read, MiB\/s:\s+(\S+)/, 'read-throughput', 'MiB/s'],
  [/^\s+written, MiB\/s:\s+(\S+)/, 'write-throughput', 'MiB/s'],
  [/^\s+transactions:\s+\d+\s+\((\S+) per sec/, 'transactions', '1/s'],
  [/^\s+queries:\s+\d+\s+\((\S+) per sec/, 'queries', '1/s'],
  [/^\s+ignored errors:\s+\d+\s+\((\S+) per sec/, 'errors', '1/s'],
  [/^\s+reconnects:\s+\d+\s+\((\S+) per sec/, 'reconnects', '1/s'],
  [/^\s+min:\s+(\S+)/, 'latency.min', 'ms'],
  [/^\s+avg:\s+(\S+)/, 'latency.avg', 'ms'],
  [/^\s+max:\s+(\S+)/, 'latency.max', 'ms'],
];
const LOWER = ['errors', 'reconnects'];

/** Tests with a database, and those that print nothing of their own, may be different ones: the second is not a sample of the first. */
function nameOf(lines: readonly string[], counts: Map<string, number>): string {
  const test = TESTS.find(([, sign]) => lines.some((line) => sign.test(line)))?.[0] ?? 'sysbench';
  const count = (counts.get(test) ?? 0) + 1;
  counts.set(test, count);
  return count === 1 || !['sql', 'sysbench'].includes(test) ? test : `${test} (${count})`;
}

function readRun(lines: readonly string[], test: string, reading: ReadingBuilder): void {
  const key = { benchmark: [test], settings: settingsOf(lines) };
  const fatal = lines.filter((line) => line.startsWith('FATAL: '));
  for (const line of fatal) reading.failed.push(`${test}: ${line}`);
  if (fatal.length > 0) return;
  if (!lines.some((line) => line.startsWith('General statistics:')))
    reading.failed.push(`${test} has no statistics: it did not finish`);
  for (const line of lines) {
    const found = METRICS.find(([pattern]) => pattern.test(line));
    const percentile = /^\s+(\d+)\w\w percentile:\s+(\S+)/.exec(line);
    if (percentile) add({ ...key, metric: `latency.p${percentile[1]}`, unit: 'ms' }, percentile[2], reading);
    else if (found)
      add(
        { ...key, metric: found[1], unit: found[2], ...direction(found[1]) },
        found[0].exec(line)?.[1],
        reading,
      );
    else readInterval(line, key, reading);
  }
}

function direction(metric: string): Pick<SetKey, 'better'> {
  return LOWER.includes(metric) ? { better: 'lower' } : {};
}

function settingsOf(lines: readonly string[]): SampleSet['settings'] {
  return Object.fromEntries(
    SETTINGS.flatMap(([name, pattern]) => {
      const value = lines.map((line) => pattern.exec(line)?.[1]).find((one) => one !== undefined);
      return value === undefined ? [] : [[name, /^\d+$/.test(value) ? Number(value) : value]];
    }),
  );
}

/** What --report-interval prints: means of a second or more, which are metrics of their own. */
function readInterval(
  line: string,
  key: Pick<SetKey, 'benchmark' | 'settings'>,
  reading: ReadingBuilder,
): void {
  const [, rest] = /^\[ \d+s \] thds: \d+ (.*)/.exec(line) ?? [];
  if (rest === undefined) return;
  const [, rateName, rate] = /\b(eps|tps): (\S+)/.exec(rest) ?? [];
  const [, percentile, latency] = /\blat \(ms,(\d+)%\): (\S+)/.exec(rest) ?? [];
  const rateMetric = `interval.${rateName === 'tps' ? 'transactions' : 'events'}`;
  if (rate !== undefined) add({ ...key, metric: rateMetric, unit: '1/s' }, rate, reading);
  if (latency !== undefined)
    add({ ...key, metric: `interval.latency.p${percentile}`, unit: 'ms' }, latency, reading);
}

/** Latencies have two decimals: 0.00 is one too short to be printed, and no measurement. */
function add(key: SetKey, text: string | undefined, reading: ReadingBuilder): void {
  const value = Number(text);
  const where = () => `${key.benchmark.join('/')}: ${key.metric}`;
  if (key.unit === 'ms' && value === 0)
    reading.skipped.push(`${where()} is ${text} ms, less than is printed`);
  else if (/^\d/.test(text ?? '')) reading.set(key)(value, where);
  else reading.failed.push(`${where()} is ${JSON.stringify(text)}, not a number`);
}
