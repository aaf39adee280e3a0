import { NightmarkError } from '../../../platform/core/errors.ts';
import type { Format } from '../../core/format.ts';
import { createReading, type ReadingBuilder, type SetKey } from '../../core/reading-builder.ts';
import type { SampleSet } from '../../core/sample.ts';
import { printedLines } from '../../core/text-lines.ts';

/** What pgbench prints, with or without its standard error: https://www.postgresql.org/docs/current/pgbench.html */
const pgbench: Format = {
  id: 'pgbench',
  title: 'pgbench (its output)',
  recognizes: [/^transaction type: /m, /^scaling factor: \d/m, /^number of clients: \d/m],
  read(text) {
    const reading = createReading();
    const runs = runsOf(printedLines(text));
    if (runs.length === 0)
      throw new NightmarkError('IMPORT_NO_NUMBERS', 'No run of pgbench reports its results in it.', {
        hint: 'Use what "pgbench -T 60 -P 1 DATABASE > FILE 2>&1" prints at its end; that of "pgbench -i" has no results.',
      });
    for (const lines of runs) readRun(lines, reading);
    return reading.finish();
  },
};

export default pgbench;

/** The lines of each run; what is printed while it runs stands before its report. */
function runsOf(lines: readonly string[]): readonly (readonly string[])[] {
  const runs: string[][] = [[]];
  let hasReport = false;
  for (const line of lines) {
    const isReport = line.startsWith('transaction type: ');
    if ((isReport || VERSION.test(line)) && hasReport) {
      runs.push([]);
      hasReport = false;
    }
    hasReport ||= isReport;
    runs.at(-1)?.push(line);
  }
  return runs.filter((run) => run.some((line) => /^transaction type: |^pgbench: error: /.test(line)));
}

const VERSION = /^pgbench \(/;

const SETTINGS: readonly (readonly [name: string, value: RegExp])[] = [
  ['scale', /^scaling factor: (\d+)/],
  ['protocol', /^query mode: (\S+)/],
  ['clients', /^number of clients: (\d+)/],
  ['threads', /^number of threads: (\d+)/],
];

/** Lines of the whole run, and behind a dash those of one script. */
const METRICS: readonly (readonly [line: RegExp, metric: string, unit: string])[] = [
  [/^tps = (\S+) \((?:without|excluding)/, 'tps', '1/s'],
  [/^tps = (\S+) \(including/, 'tps.with-connecting', '1/s'],
  [/^\d+ transactions \(.*\btps = (\d[\d.]*)/, 'tps', '1/s'],
  [/^latency average = (\S+) ms/, 'latency.avg', 'ms'],
  [/^initial connection time = (\S+) ms/, 'connection-time', 'ms'],
  [/^rate limit schedule lag: avg (\S+) /, 'schedule-lag.avg', 'ms'],
  [/^number of failed transactions: (\d+)/, 'failed', ''],
  [/^number of transactions skipped: (\d+)/, 'skipped', ''],
  [/^number of transactions above the .* latency limit: (\d+)\//, 'above-latency-limit', ''],
];

type Key = Pick<SetKey, 'benchmark' | 'settings'>;

function readRun(lines: readonly string[], reading: ReadingBuilder): void {
  const type = lines
    .map((line) => /^transaction type: (.+)/.exec(line)?.[1])
    .find((one) => one !== undefined);
  const name = type?.replace(/^<builtin: (.*)>$/, '$1') ?? 'pgbench';
  const errors = lines.flatMap((line) => /^pgbench: error: (.*)/.exec(line)?.[1] ?? []);
  if (errors.length > 0) {
    reading.failed.push(`${name}: ${errors.join('; ')}`);
    return;
  }
  if (!lines.some((line) => /^tps = \d/.test(line)))
    reading.failed.push(`${name} has no tps: its report is not whole`);
  const settings = settingsOf(lines);
  let key: Key = { benchmark: [name], settings };
  const statements = new Map<string, number>();
  for (const line of lines) {
    const [, script] = /^SQL script \d+: (.+)/.exec(line) ?? [];
    if (script !== undefined) key = { benchmark: [name, script], settings };
    const plain = line.replace(/^ - /, '');
    const found = METRICS.find(([pattern]) => pattern.test(plain));
    if (found) add({ ...key, metric: found[1], unit: found[2] }, found[0].exec(plain)?.[1], reading);
    else if (line.startsWith('progress: ')) readProgress(line, { benchmark: [name], settings }, reading);
    else readStatement(line, key, { statements, reading });
  }
}

function settingsOf(lines: readonly string[]): SampleSet['settings'] {
  return Object.fromEntries(
    SETTINGS.flatMap(([name, pattern]) => {
      const value = lines.map((line) => pattern.exec(line)?.[1]).find((one) => one !== undefined);
      return value === undefined ? [] : [[name, /^\d+$/.test(value) ? Number(value) : value]];
    }),
  );
}

/** What -P prints: means of a second or more, which are metrics of their own. */
function readProgress(line: string, key: Key, reading: ReadingBuilder): void {
  const [, tps, latency] = /, (\S+) tps, lat (\S+) ms/.exec(line) ?? [];
  if (tps === undefined) return;
  add({ ...key, metric: 'interval.tps', unit: '1/s' }, tps, reading);
  add({ ...key, metric: 'interval.latency', unit: 'ms' }, latency, reading);
}

interface Statements {
  /** How often each text came, by benchmark and text. */
  readonly statements: Map<string, number>;
  readonly reading: ReadingBuilder;
}

/** A row of -r: the mean latency, since version 15 the failures (and retries), and the text. */
function readStatement(line: string, key: Key, { statements, reading }: Statements): void {
  const [, latency, text] = /^\s{3,}(\d+\.\d+)\s+(?:\d+\s+)*(\S.*)/.exec(line) ?? [];
  if (text === undefined) return;
  const id = JSON.stringify([key.benchmark, text]);
  const count = (statements.get(id) ?? 0) + 1;
  statements.set(id, count);
  const benchmark = [...key.benchmark, count === 1 ? text : `${text} (${count})`];
  add({ ...key, benchmark, metric: 'latency.avg', unit: 'ms' }, latency, reading);
}

function add(key: SetKey, text: string | undefined, reading: ReadingBuilder): void {
  const where = () => `${key.benchmark.join('/')}: ${key.metric}`;
  const better = key.unit === '' ? { better: 'lower' as const } : {};
  if (key.unit === 'ms' && Number(text) === 0)
    reading.skipped.push(`${where()} is ${text} ms, less than is printed`);
  else if (/^\d/.test(text ?? '')) reading.set({ ...key, ...better })(Number(text), where);
  else reading.skipped.push(`${where()} is ${text ?? 'missing'}`);
}
