import type { Reading } from '../../../core/machine/telemetry.ts';
import { procUnit } from '../../../core/machine/telemetry-value.ts';

/** Bytes since boot by label, and when they were read. */
export interface Counters {
  readonly atMs: number;
  readonly bytes: ReadonlyMap<string, number>;
}

/** Bytes per second since the sample before. A counter that is new or began anew gives nothing this time. */
export function perSecond(group: string, before: Counters | undefined, now: Counters): readonly Reading[] {
  const seconds = (now.atMs - (before?.atMs ?? now.atMs)) / 1000;
  if (!before || !(seconds > 0)) return [];
  return [...now.bytes].flatMap(([label, bytes]) => {
    const last = before.bytes.get(label);
    if (last === undefined || bytes < last) return [];
    return [{ group, label, value: Math.round((bytes - last) / seconds), unit: procUnit(group) }];
  });
}
