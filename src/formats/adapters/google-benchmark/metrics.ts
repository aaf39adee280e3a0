import type { JsonObject } from '../../../platform/core/text/json.ts';
import { showCell } from '../../core/cell.ts';
import type { ReadingBuilder } from '../../core/reading.ts';

interface Row {
  readonly name: string;
  readonly benchmark: readonly string[];
  readonly fields: JsonObject;
}

/** Adds the times of one row, what its memory manager counted, and its user counters. */
export function addMetrics({ name, benchmark, fields }: Row, reading: ReadingBuilder): void {
  const timeUnit = fields['time_unit'] ?? 'ns';
  for (const metric of ['real_time', 'cpu_time']) {
    const where = () => `${name}: ${metric}`;
    const value = fields[metric];
    if (typeof timeUnit !== 'string' || !TIME_UNITS.has(timeUnit)) {
      reading.failed.push(`${where()} is in an unknown unit ${showCell(timeUnit)}`);
    } else if (typeof value !== 'number') {
      reading.failed.push(`${where()} is no number`);
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
