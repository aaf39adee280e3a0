import type { Reading } from '../../../core/machine/telemetry.ts';
import { telemetryNumber } from '../../../core/machine/telemetry-value.ts';

/** What is asked for, in the order of the columns. */
export const FIELDS = [
  'timestamp',
  'clocks.gr',
  'clocks.current.memory',
  'utilization.gpu',
  'utilization.memory',
  'memory.used',
  'pstate',
  'power.limit',
  'temperature.gpu',
  'fan.speed',
] as const;

/** One line for each GPU, in the order of their indices, below a header that repeats the question; talk has no columns. */
export function readGpus(csv: string): readonly Reading[] {
  const lines = csv
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.includes(', ') && !line.startsWith('timestamp'));
  return lines.flatMap((line, gpu) => {
    const cells = line.split(', ');
    return FIELDS.slice(1).flatMap((field, index) => toReading(field, String(gpu), cells[index + 1] ?? ''));
  });
}

function toReading(group: string, label: string, cell: string): readonly Reading[] {
  const text = cell.trim();
  // "[N/A]", "[Not Supported]", "[Unknown Error]", "[GPU requires reset]"
  if (text === '' || text === 'N/A' || text.startsWith('[')) return [];
  if (group === 'pstate') return [{ group, label, value: text, unit: '' }];
  const number = telemetryNumber(text);
  return [{ group, label, value: number?.value ?? text, unit: number?.unit ?? '' }];
}
