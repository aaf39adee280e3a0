import { NightmarkError } from '../../../platform/core/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import { showCell } from '../../core/cell.ts';
import type { Format, FormatReading } from '../../core/format.ts';
import { parseResultJson } from '../../core/parse-json.ts';
import {
  createReading,
  type ReadingBuilder,
  requireNumbers,
  type SetKey,
} from '../../core/reading-builder.ts';
import type { SampleSet } from '../../core/sample.ts';

/** `fio --output-format=json`: https://fio.readthedocs.io */
const fio: Format = {
  id: 'fio',
  title: 'fio (--output-format=json)',
  recognizes: [/"fio version"\s*:/, /"jobs"\s*:\s*\[/],
  read: (text) => readRoot(parse(text)),
  readRuns(text) {
    const root = parse(text);
    const at = isJsonObject(root) ? root['timestamp_ms'] : undefined;
    return [{ ...readRoot(root), ...(typeof at === 'number' && Number.isFinite(at) && { at }) }];
  },
};

export default fio;

const HINT = 'Use the file of "fio --output-format=json --output=FILE", without --status-interval.';

/** Notes and warnings may stand before the results, on lines of their own. */
function parse(text: string): JsonValue {
  const start = /^[ \t]*\{/m.exec(text)?.index ?? 0;
  return parseResultJson(text.slice(start), HINT);
}

function readRoot(root: JsonValue): FormatReading {
  const jobs = isJsonObject(root) ? root['jobs'] : undefined;
  if (!isJsonObject(root) || !Array.isArray(jobs) || jobs.length === 0)
    throw new NightmarkError('IMPORT_SHAPE', 'There is no list "jobs" with at least one job.', {
      hint: HINT,
    });
  const reading = createReading();
  const groups = new Map<string, { readonly name: string; readonly clones: JsonObject[] }>();
  for (const [index, job] of (jobs as readonly JsonValue[]).entries()) {
    const name = isJsonObject(job) ? job['jobname'] : undefined;
    if (!isJsonObject(job) || typeof name !== 'string') {
      reading.failed.push(`job ${index + 1} has no "jobname"`);
      continue;
    }
    const id = JSON.stringify([name, job['groupid'], job['job options']]);
    const group = groups.get(id) ?? { name, clones: [] };
    group.clones.push(job);
    groups.set(id, group);
  }
  for (const { name, clones } of groups.values())
    readJob(name, clones, { globals: root['global options'], reading });
  return requireNumbers(reading.finish(), HINT);
}

interface Place {
  readonly globals: JsonValue | undefined;
  readonly reading: ReadingBuilder;
}

/** Entries of one name with the same options are the processes of "numjobs": what they did in a second adds up. */
function readJob(name: string, clones: readonly JsonObject[], { globals, reading }: Place): void {
  const errors = clones.map(({ error }) => error ?? 0).filter((error) => error !== 0);
  if (errors.length > 0) {
    reading.failed.push(`job "${name}" ended with error ${showCell(errors[0])}`);
    return;
  }
  const settings = settingsOf(globals, clones[0]?.['job options']);
  let found = 0;
  for (const direction of ['read', 'write', 'trim', 'sync']) {
    const parts = clones.flatMap((job) => {
      const part = job[direction];
      return isJsonObject(part) && Number(part['total_ios']) > 0 ? [part] : [];
    });
    if (parts.length === 0) continue;
    found++;
    readDirection({ benchmark: [name, direction], settings }, parts, reading);
  }
  if (found === 0) reading.failed.push(`job "${name}" did no I/O`);
}

type Key = Pick<SetKey, 'benchmark' | 'settings'>;

function readDirection(key: Key, parts: readonly JsonObject[], reading: ReadingBuilder): void {
  const name = key.benchmark.join('/');
  const rates = [
    ['throughput', 'bw_bytes', 'B/s'],
    ['iops', 'iops', '1/s'],
  ] as const;
  for (const [metric, field, unit] of rates) {
    // "sync" has neither: it only waits.
    if (parts[0]?.[field] === undefined) continue;
    const sum = parts.reduce((total, part) => total + Number(part[field]), 0);
    reading.set({ ...key, metric, unit })(sum, () => `${name}: ${field}`);
  }
  const latencies = parts.map(latencyOf);
  const [only] = latencies;
  if (latencies.length > 1 || !isJsonObject(only)) {
    const why =
      latencies.length > 1
        ? `of ${latencies.length} processes cannot be added up: use --group_reporting`
        : 'are missing';
    reading.skipped.push(`${name}: latencies ${why}`);
    return;
  }
  const add = (metric: string, value: JsonValue | undefined) => {
    const where = () => `${name}: ${metric}`;
    if (typeof value === 'number') reading.set({ ...key, metric, unit: 'ns' })(value, where);
    else if (value !== undefined) reading.failed.push(`${where()} is ${showCell(value)}, not a number`);
  };
  add('latency.mean', only['mean']);
  add('latency.max', only['max']);
  const percentiles = isJsonObject(only['percentile']) ? only['percentile'] : {};
  for (const [level, value] of Object.entries(percentiles))
    if (PERCENTILES.includes(Number(level))) add(`latency.p${Number(level)}`, value);
}

const PERCENTILES = [50, 90, 95, 99, 99.9, 99.99];

/** Completion, or in all where there is no completion: that of "sync". */
function latencyOf(part: JsonObject): JsonValue | undefined {
  const completion = part['clat_ns'];
  return isJsonObject(completion) && Number(completion['N']) > 0 ? completion : part['lat_ns'];
}

/** Options that shape the load; names of files and lengths of runs do not. */
const LOAD = [
  'rw',
  'readwrite',
  'bs',
  'blocksize',
  'iodepth',
  'ioengine',
  'numjobs',
  'direct',
  'buffered',
  'size',
  'rwmixread',
  'fsync',
  'sync',
  'rate',
  'rate_iops',
];

function settingsOf(...options: readonly (JsonValue | undefined)[]): SampleSet['settings'] {
  const all = Object.assign({}, ...options.filter(isJsonObject)) as JsonObject;
  return Object.fromEntries(
    LOAD.flatMap((name) => {
      const value = all[name];
      return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [];
    }),
  );
}
