import type { Reading } from '../../../core/machine/telemetry.ts';
import { procUnit } from '../../../core/machine/telemetry-value.ts';

/** Clock ticks since boot in each state; guest time is left out, the kernel counts it in user already. */
export type CpuTimes = readonly number[];

const STATES = ['user', 'nice', 'system', 'idle', 'iowait', 'irq', 'softirq', 'steal'] as const;

/** The line of all CPUs together in /proc/stat; undefined where there is none. */
export function parseCpuTimes(stat: string): CpuTimes | undefined {
  const line = /^cpu +(.*)$/m.exec(stat)?.[1];
  const ticks = line?.split(' ').slice(0, STATES.length).map(Number);
  return ticks && ticks.length >= 4 && ticks.every(Number.isFinite) ? ticks : undefined;
}

/** Percent of the time since the sample before; nothing for the first one, or when no tick went by. */
export function shareOfTime(before: CpuTimes | undefined, now: CpuTimes | undefined): readonly Reading[] {
  if (!before || !now) return [];
  // iowait may go back a little (proc(5)): that counts as none.
  const spent = now.map((ticks, index) => Math.max(0, ticks - (before[index] ?? 0)));
  const total = spent.reduce((sum, ticks) => sum + ticks, 0);
  if (total === 0) return [];
  return spent.map((ticks, index) => ({
    group: 'proc-cpu',
    label: STATES[index] ?? '',
    value: Math.round((ticks / total) * 10_000) / 100,
    unit: procUnit('proc-cpu'),
  }));
}
