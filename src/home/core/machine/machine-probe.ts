import type { Machine } from '../run.ts';
import type { NoiseReading } from './noise-reading.ts';

/**
 * Says where we run. Contract (test/contracts/machines.test.ts): 1. never throws, a fact that cannot be read is absent;
 * 2. the id is the same for every call on an unchanged machine, and changes with CPU, memory, kernel or libc;
 * 3. a reading of noise needs no privilege and starts no program; its counters never go back.
 */
export interface MachineProbe {
  readonly id: string;
  probe(): Promise<Machine>;
  /** What disturbs measurements at this moment. */
  noise(): Promise<NoiseReading>;
  /** Changes with every start of the machine; undefined where the system does not tell. */
  bootId(): string | undefined;
}
