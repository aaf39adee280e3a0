import { join } from 'node:path';
import type { Reading } from '../../../core/machine/telemetry.ts';
import { procUnit } from '../../../core/machine/telemetry-value.ts';
import { readOptional } from './read-optional.ts';

/** The load averages, and how many threads want a CPU at this moment. */
export async function readLoad(root: string): Promise<readonly Reading[]> {
  const text = (await readOptional(join(root, 'proc/loadavg'))) ?? '';
  const match = /^([\d.]+) ([\d.]+) ([\d.]+) (\d+)\/\d+/.exec(text);
  const values = match?.slice(1).map(Number) ?? [];
  const group = 'proc-load';
  return ['1min', '5min', '15min', 'running'].flatMap((label, index) => {
    const value = values[index];
    return value === undefined || Number.isNaN(value) ? [] : [{ group, label, value, unit: procUnit(group) }];
  });
}
