import type { NoiseReading } from './noise-reading.ts';
import { cpusInUse, type NoisePlan, type NoiseWarning, SEE_WHAT_RUNS } from './noise-warning.ts';

/** Whether there is room for the sides: cores, quota, load, neighbours. */
export function findCoreNoise(reading: NoiseReading, plan: NoisePlan): readonly NoiseWarning[] {
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
