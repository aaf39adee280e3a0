import type { Machine } from '../run.ts';

/**
 * The machine that we run on. Contract (test/contracts/machines.test.ts): 1. never throws, a fact that cannot be read is absent;
 * 2. the id is the same for every call on an unchanged machine, and changes with CPU, memory, kernel or libc;
 * 3. a reading of noise needs no privilege and starts no program; its counters never go back.
 */
export interface MachineProbe {
  probe(): Promise<Machine>;
  /** What disturbs measurements now. */
  noise(): Promise<NoiseReading>;
  /** Changes with every start of the machine; undefined where the system has none. */
  bootId(): string | undefined;
}

/**
 * Facts about what disturbs measurements, read at one time. Counters grow; the difference of two
 * readings is what happened between them. A fact that the machine does not have is absent.
 */
export interface NoiseReading {
  /** Milliseconds since an arbitrary start; never goes back. */
  readonly atMs: number;
  /** Numbers of the CPUs that we may use. */
  readonly cpus?: readonly number[];
  /** CPUs of one physical core each; only cores that run several of the CPUs above. */
  readonly siblings?: readonly (readonly number[])[];
  /** Different governors of those CPUs, sorted. */
  readonly governors?: readonly string[];
  readonly turbo?: Turbo;
  readonly power?: PowerState;
  readonly frequency?: Frequency;
  readonly ticks?: CpuTicks;
  readonly load?: Load;
  /** Microseconds in which some task waited for a CPU, since boot. */
  readonly waitedUs?: number;
  /** How often a CPU of ours was slowed down for its heat, since boot. */
  readonly throttled?: number;
  readonly quota?: CpuQuota;
  /** What this machine is a guest of. */
  readonly virtualization?: string;
}

export interface Turbo {
  readonly state: 'on' | 'off';
  /** The file that switches it, and what to write there to have it off. */
  readonly file: string;
  readonly off: string;
}

export interface PowerState {
  /** No external supply is on. */
  readonly isOnBattery: boolean;
  /** A profile that saves energy, by its name; absent for any other. */
  readonly savingProfile?: string;
}

/** Of the CPUs that we may use. */
export interface Frequency {
  /** The highest of the current frequencies. */
  readonly currentMhz: number;
  /** The lowest of the current limits. */
  readonly limitMhz?: number;
}

/** Clock ticks since boot, summed over the CPUs that we may use. */
export interface CpuTicks {
  readonly total: number;
  /** Taken by other guests of the same host. */
  readonly steal: number;
}

/** Threads that ran or wanted to. */
export interface Load {
  /** Over the last minute. */
  readonly average: number;
  /** Now, without the thread that reads it. */
  readonly running: number;
}

/** A limit of CPU time that is set from outside (cgroup). */
export interface CpuQuota {
  /** In CPUs: 1.5 is 1.5 seconds a second. */
  readonly cpus?: number;
  /** How often the limit was hit, and for how long altogether. */
  readonly throttledTimes: number;
  readonly throttledUs: number;
}

/** Facts that make the id of a machine, in the order in which they are hashed: never changed, or ids would be. */
export const DECIDING_FACTS = ['cpu', 'cores', 'threads', 'kernel', 'libc', 'microcode'] as const;

/** Memory counts in steps of 256 MiB: the kernel takes a slightly different share for itself with each boot. */
export const MEMORY_STEP = 2 ** 28;
