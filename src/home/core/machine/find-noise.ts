import type { NoiseReading } from './machine-probe.ts';

/**
 * What may have disturbed a comparison, from a reading before it and one after it; without the second one, what is
 * known beforehand. A fact that the machine does not have gives no warning.
 */
export function findNoise(
  before: NoiseReading,
  after: NoiseReading | undefined,
  plan: NoisePlan,
): readonly NoiseWarning[] {
  return [
    ...findCoreNoise(before, plan),
    ...(after ? findEventNoise(before, after) : []),
    ...findSettingNoise(before),
  ];
}

/** Something that weakens a comparison. One line, and one line of what to do about it. */
export interface NoiseWarning {
  readonly kind: NoiseKind;
  readonly text: string;
  readonly hint: string;
}

export type NoiseKind =
  | 'governor'
  | 'turbo'
  | 'power'
  | 'few-cores'
  | 'smt'
  | 'quota'
  | 'guest'
  | 'load'
  | 'steal'
  | 'waiting'
  | 'throttling'
  | 'frequency';

/** How the sides of a comparison run, as far as noise is concerned. */
export interface NoisePlan {
  readonly mode: 'together' | 'alternate' | 'one-after-another';
  /** Cores that the sides are held on. */
  readonly pinning?: { readonly A: readonly number[]; readonly B: readonly number[] };
}

/** CPUs that the sides need at the same time, a thread each. */
function cpusInUse({ mode }: NoisePlan): number {
  return mode === 'together' ? 2 : 1;
}

/** For hints. */
const SEE_WHAT_RUNS = 'See what runs: ps -eo pcpu,pid,args --sort=-pcpu | head';

/** Whether there is room for the sides: cores, quota, load, neighbours. */
function findCoreNoise(reading: NoiseReading, plan: NoisePlan): readonly NoiseWarning[] {
  const warnings = [
    tooFewCores(reading, plan),
    sharedCores(reading, plan),
    smallQuota(reading, plan),
    busyMachine(reading, plan),
    guest(reading, plan),
  ];
  return warnings.filter((it) => it !== undefined);
}

function tooFewCores({ cpus }: NoiseReading, plan: NoisePlan): NoiseWarning | undefined {
  if (cpus === undefined || cpus.length >= cpusInUse(plan)) return undefined;
  return {
    kind: 'few-cores',
    text: 'Both sides share one CPU: together they measure how it is shared.',
    hint: 'Use --alternate, or a machine with at least two cores.',
  };
}

/** Two threads of one core slow each other down by what they do, not only by what they share with the machine. */
function sharedCores({ cpus, siblings = [] }: NoiseReading, plan: NoisePlan): NoiseWarning | undefined {
  if (plan.mode !== 'together' || cpus === undefined || cpus.length < 2) return undefined;
  const { pinning } = plan;
  const isSplit = (group: readonly number[]) =>
    group.some((cpu) => pinning?.A.includes(cpu)) && group.some((cpu) => pinning?.B.includes(cpu));
  const shared = pinning ? siblings.filter(isSplit) : siblings;
  const [first] = shared;
  if (!first) return undefined;
  const smtOff = 'echo off | sudo tee /sys/devices/system/cpu/smt/control';
  const cores = cpus.length - siblings.reduce((sum, group) => sum + group.length - 1, 0);
  if (cores < 2) {
    return {
      kind: 'smt',
      text: `Both sides share one physical core (CPUs ${first.join(' and ')} are its threads).`,
      hint: 'Use --alternate, or a machine with at least two physical cores.',
    };
  }
  return pinning
    ? {
        kind: 'smt',
        text: `The sides are pinned to threads of the same core (CPUs ${first.join(' and ')}).`,
        hint: `Switch SMT off: ${smtOff}`,
      }
    : {
        kind: 'smt',
        text: 'SMT is on: the sides may run on two threads of one core.',
        hint: `Use --pin, or switch SMT off: ${smtOff}`,
      };
}

function smallQuota({ quota }: NoiseReading, plan: NoisePlan): NoiseWarning | undefined {
  if (quota?.cpus === undefined || quota.cpus >= cpusInUse(plan)) return undefined;
  const needed = cpusInUse(plan);
  return {
    kind: 'quota',
    text: `CPU time is limited to ${round(quota.cpus)} CPUs; the comparison needs ${needed}.`,
    hint: `Raise the limit (docker run --cpus ${needed}, or resources.limits.cpu of the pod), or use --alternate.`,
  };
}

/** The average alone would also show what has just ended, such as the comparison before. */
function busyMachine({ cpus, load }: NoiseReading, plan: NoisePlan): NoiseWarning | undefined {
  if (cpus === undefined || load === undefined) return undefined;
  const free = Math.max(0, cpus.length - cpusInUse(plan));
  if (load.running <= free || load.average <= Math.max(0.5, free)) return undefined;
  const size = cpus.length === 1 ? '1 CPU' : `${cpus.length} CPUs`;
  return {
    kind: 'load',
    text: `The machine is busy: load ${load.average.toFixed(2)} on ${size} before the start.`,
    hint: SEE_WHAT_RUNS,
  };
}

/** Sides that run together feel the neighbours alike; sides that do not, do not. */
function guest({ virtualization }: NoiseReading, { mode }: NoisePlan): NoiseWarning | undefined {
  if (virtualization === undefined || mode === 'together') return undefined;
  return {
    kind: 'guest',
    text: `This is a virtual machine (${virtualization}): its host may be busy for one side and idle for the other.`,
    hint: 'Use --together.',
  };
}

function round(value: number): string {
  return String(Number(value.toFixed(2)));
}

/** A hundredth is what the smallest effect of interest usually is. */
const MOST_STEAL = 0.01;
/** Two single threads on two free CPUs wait for next to nothing; what starts a process adds a few hundredths. */
const MOST_WAITING = 0.1;
/** Boost steps between neighbouring states are below this. */
const MOST_DRIFT = 0.1;

/** What happened between the two readings. */
function findEventNoise(before: NoiseReading, after: NoiseReading): readonly NoiseWarning[] {
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
    hint: 'Let the machine cool, repair its cooling, or lower the frequency: sudo cpupower frequency-set -u 2GHz',
  };
}

function drift(before: NoiseReading, after: NoiseReading): NoiseWarning | undefined {
  const [from, to] = [before.frequency, after.frequency];
  if (!from || !to) return undefined;
  if (from.limitMhz !== undefined && to.limitMhz !== undefined && from.limitMhz !== to.limitMhz) {
    return moved('limit of the CPU frequency', from.limitMhz, to.limitMhz);
  }
  // The current frequency is comparable only where the governor holds it up between the commands.
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

/** Settings of the machine that let its speed move. */
function findSettingNoise(reading: NoiseReading): readonly NoiseWarning[] {
  return [governor(reading), turbo(reading), power(reading)].filter((it) => it !== undefined);
}

function governor({ governors = [] }: NoiseReading): NoiseWarning | undefined {
  const others = governors.filter((it) => it !== 'performance');
  if (others.length === 0) return undefined;
  return {
    kind: 'governor',
    text: `The CPU governor is ${others.join(' and ')}: the frequency follows the load.`,
    hint: 'sudo cpupower frequency-set -g performance',
  };
}

function turbo({ turbo: boost }: NoiseReading): NoiseWarning | undefined {
  if (boost?.state !== 'on') return undefined;
  return {
    kind: 'turbo',
    text: 'Turbo is on: the frequency depends on heat and on how many cores are busy.',
    hint: `echo ${boost.off} | sudo tee ${boost.file}`,
  };
}

function power({ power: supply }: NoiseReading): NoiseWarning | undefined {
  if (supply?.isOnBattery) {
    return { kind: 'power', text: 'The machine runs on battery.', hint: 'Plug it in.' };
  }
  if (supply?.savingProfile === undefined) return undefined;
  return {
    kind: 'power',
    text: `The power profile is ${supply.savingProfile}.`,
    hint: 'powerprofilesctl set performance',
  };
}
