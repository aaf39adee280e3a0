import type { Machine, Run } from '../../../home/core/run.ts';

/** Measure of the event that values come from another machine: nothing moved together, they cannot be compared. */
export const HARDWARE = 'hardware';

/**
 * Where a run was measured, as far as it decides whether values can be compared: processor and cores where they are
 * recorded, else the name of the machine. A new kernel is no other machine: what it does to values is to be seen.
 * Undefined where nothing is recorded.
 */
export function hardwareOf(
  { origin }: Pick<Run, 'origin'>,
  machine: Pick<Machine, 'name' | 'facts'> | undefined,
): string | undefined {
  if (origin === 'example') return EXAMPLE;
  if (machine === undefined || machine.name === 'unknown') return undefined;
  const { name, facts } = machine;
  const cores = facts['cores'] ?? facts['num_cpu'] ?? facts['num_cpus'];
  const processor = typeof facts['cpu'] === 'string' && facts['cpu'] !== '' ? facts['cpu'] : name;
  return cores === undefined ? processor : `${processor}, ${String(cores)} cores`;
}

const EXAMPLE = 'example data';

/** From this run on values were measured on other hardware. */
export interface HardwareChange {
  readonly at: number;
  readonly hardware: string;
  /** People say that it is the same. */
  readonly isSame: boolean;
}

export interface MeasuredValue {
  readonly at: number;
  readonly hardware: string | undefined;
}

/** Whether two values come from the same kind of machine, or may. */
export function areComparable(
  one: MeasuredValue,
  other: MeasuredValue,
  changes: readonly HardwareChange[],
): boolean {
  if (one.hardware === other.hardware) return true;
  const isBetween = ({ at }: HardwareChange) =>
    Math.min(one.at, other.at) < at && at <= Math.max(one.at, other.at);
  if (one.hardware === undefined || other.hardware === undefined)
    return !changes.some((change) => !change.isSame && isBetween(change));
  return changes.some(
    ({ hardware, isSame }) => isSame && (hardware === one.hardware || hardware === other.hardware),
  );
}
