import type { NoiseReading } from './noise-reading.ts';
import { type NoiseWarning, SEE_WHAT_RUNS } from './noise-warning.ts';

/** A hundredth is what the smallest effect of interest usually is. */
const MOST_STEAL = 0.01;
/** Two single threads on two free CPUs wait for next to nothing; what starts a process adds a few hundredths. */
const MOST_WAITING = 0.1;
/** Boost steps between neighbouring states are below this. */
const MOST_DRIFT = 0.1;

/** What happened between the two readings. */
export function findEventNoise(before: NoiseReading, after: NoiseReading): readonly NoiseWarning[] {
  const warnings = [
    stolen(before, after),
    waiting(before, after),
    hitQuota(before, after),
    throttled(before, after),
    drift(before, after),
  ];
  return warnings.filter((it) => it !== undefined);
}

function stolen({ ticks: before }: NoiseReading, { ticks: after }: NoiseReading): NoiseWarning | undefined {
  if (!before || !after || after.total <= before.total) return undefined;
  const share = (after.steal - before.steal) / (after.total - before.total);
  if (!(share > MOST_STEAL)) return undefined;
  return {
    kind: 'steal',
    text: `Other virtual machines took ${percent(share)} of the CPU time during the comparison.`,
    hint: 'Keep --together and add runs (-r), or use dedicated CPUs.',
  };
}

function waiting(before: NoiseReading, after: NoiseReading): NoiseWarning | undefined {
  if (before.waitedUs === undefined || after.waitedUs === undefined) return undefined;
  const share = (after.waitedUs - before.waitedUs) / ((after.atMs - before.atMs) * 1000);
  if (!(share > MOST_WAITING) || !Number.isFinite(share)) return undefined;
  return {
    kind: 'waiting',
    text: `Something waited for a CPU ${percent(Math.min(1, share))} of the time: more ran than there are CPUs.`,
    hint: `Give the commands fewer threads. ${SEE_WHAT_RUNS}`,
  };
}

function hitQuota({ quota: before }: NoiseReading, { quota: after }: NoiseReading): NoiseWarning | undefined {
  const times = (after?.throttledTimes ?? 0) - (before?.throttledTimes ?? 0);
  if (!before || !after || times <= 0) return undefined;
  const ms = Math.round((after.throttledUs - before.throttledUs) / 1000);
  return {
    kind: 'quota',
    text: `The CPU limit of this container stopped the commands ${times} ${times === 1 ? 'time' : 'times'} (${ms} ms).`,
    hint: 'Raise the limit (docker run --cpus, or resources.limits.cpu of the pod), or use --alternate.',
  };
}

function throttled(before: NoiseReading, after: NoiseReading): NoiseWarning | undefined {
  const times = (after.throttled ?? 0) - (before.throttled ?? 0);
  if (before.throttled === undefined || times <= 0) return undefined;
  return {
    kind: 'throttling',
    text: `CPUs were slowed down for their heat ${times} ${times === 1 ? 'time' : 'times'} during the comparison.`,
    hint: 'Let the machine cool, mend its cooling, or lower the frequency: sudo cpupower frequency-set -u 2GHz',
  };
}

function drift(before: NoiseReading, after: NoiseReading): NoiseWarning | undefined {
  const [from, to] = [before.frequency, after.frequency];
  if (!from || !to) return undefined;
  if (from.limitMhz !== undefined && to.limitMhz !== undefined && from.limitMhz !== to.limitMhz) {
    return moved('limit of the CPU frequency', from.limitMhz, to.limitMhz);
  }
  // The momentary frequency says something only where the governor holds it up between the commands.
  const isHeld = before.governors?.every((it) => it === 'performance') ?? false;
  const change = Math.abs(to.currentMhz / from.currentMhz - 1);
  return isHeld && change > MOST_DRIFT ? moved('CPU frequency', from.currentMhz, to.currentMhz) : undefined;
}

function moved(what: string, from: number, to: number): NoiseWarning {
  return {
    kind: 'frequency',
    text: `The ${what} moved from ${Math.round(from)} to ${Math.round(to)} MHz during the comparison.`,
    hint: 'Hold it: sudo cpupower frequency-set -d 2GHz -u 2GHz',
  };
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}
