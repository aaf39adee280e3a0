import { NightmarkError } from '../../../platform/core/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import { showCell } from '../../core/cell.ts';
import type { Format, FormatReading, RunReading } from '../../core/format.ts';
import { parseResultJson } from '../../core/parse-json.ts';
import {
  createReading,
  type ReadingBuilder,
  requireNumbers,
  type SetKey,
} from '../../core/reading-builder.ts';
import type { SampleSet } from '../../core/sample.ts';

/** `iperf3 -c HOST --json`: https://software.es.net/iperf */
const iperf3: Format = {
  id: 'iperf3',
  title: 'iperf3 (--json)',
  recognizes: [/^\uFEFF?\s*\{/, /"start"\s*:\s*\{/, /"version"\s*:\s*"iperf 3/, /"intervals"\s*:\s*\[/],
  read: (text) => readRoot(rootOf(text)),
  readRuns(text) {
    const root = rootOf(text);
    return [{ ...readRoot(root), ...factsOf(objectIn(root, 'start')) }];
  },
};

export default iperf3;

const HINT = 'Use the output of "iperf3 -c HOST --json", whole.';

function rootOf(text: string): JsonObject {
  const root = parseResultJson(text, HINT);
  if (isJsonObject(root) && isJsonObject(root['start']) && isJsonObject(root['end'])) return root;
  throw new NightmarkError('IMPORT_SHAPE', 'There are no objects "start" and "end".', { hint: HINT });
}

function objectIn(parent: JsonObject, name: string): JsonObject {
  const value = parent[name];
  return isJsonObject(value) ? value : {};
}

/** The machine is the client, whose name is the second word of what uname says. */
function factsOf(start: JsonObject): Pick<RunReading, 'at' | 'machine'> {
  const seconds = objectIn(start, 'timestamp')['timesecs'];
  const system = start['system_info'];
  const name = typeof system === 'string' ? system.split(' ')[1] : undefined;
  return {
    ...(typeof seconds === 'number' && Number.isFinite(seconds) && { at: seconds * 1000 }),
    ...(name && { machine: { name, facts: {} } }),
  };
}

function readRoot(root: JsonObject): FormatReading {
  const reading = createReading();
  const [start, end] = [objectIn(root, 'start'), objectIn(root, 'end')];
  const test = objectIn(start, 'test_start');
  const protocol = typeof test['protocol'] === 'string' ? test['protocol'].toLowerCase() : 'iperf3';
  const isBidir = test['bidir'] === 1 || end['sum_sent_bidir_reverse'] !== undefined;
  const settings = { ...settingsOf(start, test), ...(isBidir && { bidir: true }) };
  if (root['error'] !== undefined) reading.failed.push(`${protocol}: ${textOf(root['error'])}`);
  readIntervals(root['intervals'], { benchmark: [protocol], settings }, reading);
  readEnd(end, { benchmark: [protocol], settings }, reading);
  return requireNumbers(reading.finish(), HINT);
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : showCell(value);
}

function settingsOf(start: JsonObject, test: JsonObject): SampleSet['settings'] {
  const { num_streams: streams, blksize, reverse, target_bitrate: bitrate } = test;
  const server = objectIn(start, 'connecting_to')['host'];
  return {
    ...(typeof server === 'string' && { server }),
    ...(typeof streams === 'number' && { streams }),
    ...(typeof blksize === 'number' && { blksize }),
    ...(reverse === 1 && { reverse: true }),
    ...(typeof bitrate === 'number' && bitrate > 0 && { bitrate }),
  };
}

type Key = Pick<SetKey, 'benchmark' | 'settings'>;
/** The direction back to the client, of --bidir, is a benchmark below the other. */
const DIRECTIONS = [
  ['', []],
  ['_bidir_reverse', ['reverse']],
] as const;

/** Means of a second or so, which are a metric of their own beside that of the whole. */
function readIntervals(intervals: JsonValue | undefined, key: Key, reading: ReadingBuilder): void {
  if (!Array.isArray(intervals)) return;
  for (const [index, interval] of (intervals as readonly JsonValue[]).entries()) {
    for (const [suffix, path] of DIRECTIONS) {
      const sum = isJsonObject(interval) ? interval[`sum${suffix}`] : undefined;
      const where = [...key.benchmark, ...path].join('/');
      if (!isJsonObject(sum)) continue;
      if (sum['omitted'] === true)
        reading.skipped.push(`${where}: interval ${index + 1} is of the beginning that --omit leaves out`);
      else
        add(sum['bits_per_second'], reading, {
          ...below(key, path),
          metric: 'interval.throughput',
          unit: 'bit/s',
        });
    }
  }
}

function below(key: Key, path: readonly string[]): Key {
  return { ...key, benchmark: [...key.benchmark, ...path] };
}

function readEnd(end: JsonObject, key: Key, reading: ReadingBuilder): void {
  for (const [suffix, path] of DIRECTIONS) {
    const [sent, received] = [objectIn(end, `sum_sent${suffix}`), objectIn(end, `sum_received${suffix}`)];
    const sum = objectIn(end, `sum${suffix}`);
    const set = (value: JsonValue | undefined, metric: string, unit: string, better: 'lower' | 'higher') =>
      add(value, reading, { ...below(key, path), metric, unit, better });
    set(received['bits_per_second'] ?? sum['bits_per_second'], 'throughput', 'bit/s', 'higher');
    set(sent['retransmits'], 'retransmits', '', 'lower');
    set(sum['jitter_ms'], 'jitter', 'ms', 'lower');
    set(sum['lost_percent'], 'lost', '%', 'lower');
  }
  const cpu = objectIn(end, 'cpu_utilization_percent');
  add(cpu['host_total'], reading, { ...key, metric: 'cpu.client', unit: '%', better: 'lower' });
  add(cpu['remote_total'], reading, { ...key, metric: 'cpu.server', unit: '%', better: 'lower' });
  const streams = Array.isArray(end['streams']) ? (end['streams'] as readonly JsonValue[]) : [];
  for (const stream of streams.filter(isJsonObject)) {
    const sender = objectIn(stream, 'sender');
    const isBack = key.settings?.['bidir'] === true && sender['sender'] === false;
    add(sender['mean_rtt'], reading, {
      ...below(key, isBack ? ['reverse'] : []),
      metric: 'rtt.mean',
      unit: 'us',
    });
  }
}

function add(value: JsonValue | undefined, reading: ReadingBuilder, key: SetKey): void {
  const where = () => `${key.benchmark.join('/')}: ${key.metric}`;
  if (typeof value === 'number') reading.set(key)(value, where);
  else if (value !== undefined) reading.failed.push(`${where()} is ${showCell(value)}, not a number`);
}
