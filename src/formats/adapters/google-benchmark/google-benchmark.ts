import { NightmarkError } from '../../../platform/core/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import { parseIsoTime } from '../../../platform/core/text/parse-date.ts';
import { showCell } from '../../core/cell.ts';
import type { Format, FormatReading, RunReading } from '../../core/format.ts';
import { parseResultJson } from '../../core/parse-json.ts';
import { createReading, type ReadingBuilder } from '../../core/reading-builder.ts';

/** `--benchmark_format=json` or `--benchmark_out`: https://github.com/google/benchmark */
const googleBenchmark: Format = {
  id: 'google-benchmark',
  title: 'Google Benchmark (--benchmark_format=json)',
  recognizes: [
    /^\uFEFF?\s*\{/,
    /"context"\s*:\s*\{/,
    /"(?:library_build_type|num_cpus|run_type|time_unit)"\s*:/,
    /"benchmarks"\s*:\s*\[/,
  ],
  read: (text) => readRoot(parseResultJson(text, HINT)),
  readRuns(text) {
    const root = parseResultJson(text, HINT);
    return [{ ...readRoot(root), ...contextOf(root) }];
  },
};

function readRoot(root: JsonValue): FormatReading {
  const reading = createReading();
  for (const family of groupByRun(entriesOf(root), reading)) readFamily(family, reading);
  return reading.finish();
}

/** Time and machine of the run; load and current clock are not facts of the machine. */
function contextOf(root: JsonValue): Pick<RunReading, 'at' | 'machine'> {
  const context = isJsonObject(root) ? root['context'] : undefined;
  if (!isJsonObject(context)) return {};
  const { date, host_name: name, num_cpus: cpus } = context as Record<string, unknown>;
  const at = typeof date === 'string' ? parseIsoTime(date) : undefined;
  const facts = typeof cpus === 'number' ? { cpus } : {};
  return {
    ...(at !== undefined && { at }),
    ...(typeof name === 'string' && name !== '' && { machine: { name, facts } }),
  };
}

const HINT =
  'Use --benchmark_out=FILE --benchmark_out_format=json, or --benchmark_format=json on the terminal.';

function entriesOf(root: JsonValue): readonly JsonValue[] {
  const entries = isJsonObject(root) ? root['benchmarks'] : undefined;
  if (Array.isArray(entries) && entries.length > 0) return entries;
  const hint = Array.isArray(entries) ? 'Check that --benchmark_filter matches a benchmark.' : HINT;
  throw new NightmarkError('IMPORT_SHAPE', 'There is no list "benchmarks" with at least one entry.', {
    hint,
  });
}

interface Entry {
  readonly name: string;
  readonly runName: string;
  /** "mean", "median" ...; undefined for a measured iteration. */
  readonly aggregate: string | undefined;
  readonly fields: JsonObject;
}

function groupByRun(entries: readonly JsonValue[], reading: ReadingBuilder): Iterable<readonly Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const [index, fields] of entries.entries()) {
    const entry = isJsonObject(fields) ? toEntry(fields) : undefined;
    if (!entry) {
      reading.failed.push(`entry ${index + 1} has no "name"`);
      continue;
    }
    const group = groups.get(entry.runName) ?? [];
    group.push(entry);
    groups.set(entry.runName, group);
  }
  return groups.values();
}

/** Before version 1.5 neither run_name nor run_type were written: aggregates are recognised by their ending. */
const AGGREGATE_ENDING = /_(mean|median|stddev|cv|BigO|RMS)$/;

function toEntry(fields: JsonObject): Entry | undefined {
  const {
    name,
    run_name: runName,
    run_type: type,
    aggregate_name: aggregate,
  } = fields as Record<string, unknown>;
  if (typeof name !== 'string') return undefined;
  const ending = type === undefined ? AGGREGATE_ENDING.exec(name)?.[1] : undefined;
  const isAggregate = type === 'aggregate' || ending !== undefined;
  return {
    name,
    runName:
      typeof runName === 'string' ? runName : ending === undefined ? name : name.slice(0, -ending.length - 1),
    aggregate: isAggregate
      ? typeof aggregate === 'string'
        ? aggregate
        : (ending ?? 'aggregate')
      : undefined,
    fields,
  };
}

/** Iterations are the samples. Where only aggregates were written, the median (or the mean) is the one value. */
function readFamily(family: readonly Entry[], reading: ReadingBuilder): void {
  const hasIterations = family.some(({ aggregate }) => aggregate === undefined);
  const center = ['median', 'mean'].find((name) => family.some(({ aggregate }) => aggregate === name));
  for (const { name, runName, aggregate, fields } of family) {
    const isSample = hasIterations ? aggregate === undefined : aggregate === center;
    if (fields['error_occurred'] === true) {
      reading.failed.push(`${name}: ${messageIn(fields['error_message'], 'an error occurred')}`);
    } else if (fields['skipped'] === true) {
      reading.skipped.push(`${name}: ${messageIn(fields['skip_message'], 'it was skipped')}`);
    } else if (isSample) {
      addMetrics({ name, benchmark: runName.split('/').filter((part) => part !== ''), fields }, reading);
    } else {
      reading.skipped.push(`${name} is an aggregate (${aggregate})`);
    }
  }
}

function messageIn(field: JsonValue | undefined, otherwise: string): string {
  return typeof field === 'string' && field !== '' ? field : otherwise;
}

export default googleBenchmark;

interface Row {
  readonly name: string;
  readonly benchmark: readonly string[];
  readonly fields: JsonObject;
}

/** Adds the times of one row, what its memory manager counted, and its user counters. */
function addMetrics({ name, benchmark, fields }: Row, reading: ReadingBuilder): void {
  const timeUnit = fields['time_unit'] ?? 'ns';
  for (const metric of ['real_time', 'cpu_time']) {
    const where = () => `${name}: ${metric}`;
    const value = fields[metric];
    if (typeof timeUnit !== 'string' || !TIME_UNITS.has(timeUnit)) {
      reading.failed.push(`${where()} is in an unknown unit ${showCell(timeUnit)}`);
    } else if (typeof value !== 'number') {
      reading.failed.push(`${where()} is not a number`);
    } else {
      reading.set({ benchmark, metric, unit: timeUnit, better: 'lower' })(value, where);
    }
  }
  for (const [metric, value] of Object.entries(fields)) {
    if (OWN_FIELDS.has(metric)) continue;
    const where = () => `${name}: ${metric}`;
    if (typeof value === 'number')
      reading.set({ benchmark, metric, unit: counterUnit(metric) })(value, where);
    else if (value === null) reading.failed.push(`${where()} is null, not a number`);
  }
}

/** Counters have no unit of their own; only what the library itself counts is known. */
function counterUnit(metric: string): string {
  return COUNTER_UNITS.get(metric) ?? (metric.endsWith('_per_second') ? '1/s' : '');
}

const TIME_UNITS = new Set(['ns', 'us', 'ms', 's']);

const COUNTER_UNITS = new Map([
  ['bytes_per_second', 'B/s'],
  ['max_bytes_used', 'B'],
  ['total_allocated_bytes', 'B'],
  ['net_heap_growth', 'B'],
]);

/** Everything else with a number is a user counter. */
const OWN_FIELDS = new Set([
  'name',
  'family_index',
  'per_family_instance_index',
  'run_name',
  'run_type',
  'repetitions',
  'repetition_index',
  'threads',
  'aggregate_name',
  'aggregate_unit',
  'iterations',
  'real_time',
  'cpu_time',
  'time_unit',
  'error_occurred',
  'error_message',
  'skipped',
  'skip_message',
  'label',
  'big_o',
  'cpu_coefficient',
  'real_coefficient',
  'rms',
]);
