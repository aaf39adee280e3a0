import { join } from 'node:path';
import type { Reading } from '../../../core/machine/telemetry.ts';
import { procUnit } from '../../../core/machine/telemetry-value.ts';
import { readOptional } from './read-optional.ts';

/** Memory and swap in bytes; "used" is what programs could not get without swapping. */
export async function readMemory(root: string): Promise<readonly Reading[]> {
  const text = (await readOptional(join(root, 'proc/meminfo'))) ?? '';
  const total = bytesOf(text, 'MemTotal');
  const available = bytesOf(text, 'MemAvailable');
  const values: readonly (readonly [string, number | undefined])[] = [
    ['total', total],
    ['available', available],
    ['used', difference(total, available)],
    ['swap-used', difference(bytesOf(text, 'SwapTotal'), bytesOf(text, 'SwapFree'))],
  ];
  return values.flatMap(([label, value]) =>
    value === undefined ? [] : [{ group: 'proc-memory', label, value, unit: procUnit('proc-memory') }],
  );
}

function bytesOf(meminfo: string, field: string): number | undefined {
  const kibibytes = new RegExp(`^${field}: +(\\d+) kB$`, 'm').exec(meminfo)?.[1];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}

function difference(whole: number | undefined, part: number | undefined): number | undefined {
  return whole === undefined || part === undefined ? undefined : whole - part;
}
