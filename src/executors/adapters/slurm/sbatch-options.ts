import type { Command } from '../../core/executor.ts';
import type { Resources, SlurmPlace } from '../../core/place.ts';

/** Options of sbatch that commands must share to become one array. */
export function sharedOptions({ resources = {}, place, tasks = 1, after = [] }: Command): readonly string[] {
  return [
    ...(tasks > 1 ? [`--ntasks=${tasks}`] : []),
    // A dependency that failed would otherwise be waited for until somebody looks.
    ...(after.length > 0 ? [`--dependency=afterok:${after.join(':')}`, '--kill-on-invalid-dep=yes'] : []),
    ...resourceOptions(resources, place?.slurm ?? {}),
  ];
}

/** What is asked of the nodes; the options that somebody gave as they are come last, and win. */
export function resourceOptions(
  { cpus, memoryBytes, gpus, timeMs }: Resources,
  { partition, account, qos, constraint, options = [] }: SlurmPlace,
): readonly string[] {
  return [
    ...(cpus === undefined ? [] : [`--cpus-per-task=${Math.max(1, Math.ceil(cpus))}`]),
    ...(memoryBytes === undefined ? [] : [`--mem=${Math.max(1, Math.ceil(memoryBytes / 1024 / 1024))}M`]),
    ...(gpus ? [`--gres=gpu:${Math.ceil(gpus)}`] : []),
    // Slurm counts in minutes. Where the command has a timeout of its own, the batch script keeps it to the millisecond.
    ...(timeMs === undefined ? [] : [`--time=${Math.max(1, Math.ceil(timeMs / 60_000))}`]),
    ...Object.entries({ partition, account, qos, constraint }).flatMap(([name, value]) =>
      value === undefined ? [] : [`--${name}=${value}`],
    ),
    ...options,
  ];
}

/** One name for all: their own where it is the same, else how they all begin. */
export function jobName(commands: readonly Pick<Command, 'title'>[]): string {
  const [first = '', ...others] = commands.map(({ title = '' }) => title);
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--;
  const legal = first
    .slice(0, length)
    .replace(/[^\w.+=:@-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
  return legal.slice(0, 100) || 'nightmark';
}
