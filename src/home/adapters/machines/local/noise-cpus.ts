import type { Frequency } from '../../../core/machine/noise-reading.ts';
import { parseCpuList } from './cpu-list.ts';
import type { ReadFile } from './read-file.ts';

const CPU = 'sys/devices/system/cpu';

type Cpus = readonly number[];

/** Groups of our CPUs that are threads of one core; undefined where the topology is not told. */
export function readSiblings(read: ReadFile, cpus: Cpus): readonly Cpus[] | undefined {
  const groups = new Map<string, Cpus>();
  let isTold = false;
  for (const cpu of cpus) {
    const text =
      read(`${CPU}/cpu${cpu}/topology/core_cpus_list`) ??
      read(`${CPU}/cpu${cpu}/topology/thread_siblings_list`);
    isTold ||= text !== undefined;
    const group = parseCpuList(text ?? '').filter((it) => cpus.includes(it));
    if (group.length > 1) groups.set(group.join(','), group);
  }
  return isTold ? [...groups.values()] : undefined;
}

export function readGovernors(read: ReadFile, cpus: Cpus): readonly string[] | undefined {
  const all = cpus.map((cpu) => read(`${CPU}/cpu${cpu}/cpufreq/scaling_governor`)?.trim());
  const known = [...new Set(all)].filter((it) => it !== undefined && it !== '') as string[];
  return known.length === 0 ? undefined : known.sort();
}

export function readFrequency(read: ReadFile, cpus: Cpus): Frequency | undefined {
  const megahertz = (name: string) =>
    cpus
      .map((cpu) => Number(read(`${CPU}/cpu${cpu}/cpufreq/${name}`) ?? Number.NaN) / 1000)
      .filter((it) => it > 0);
  const current = megahertz('scaling_cur_freq');
  const limits = megahertz('scaling_max_freq');
  if (current.length === 0) return undefined;
  return {
    currentMhz: Math.max(...current),
    ...(limits.length > 0 && { limitMhz: Math.min(...limits) }),
  };
}

/** The count of a package is told by each of its CPUs: the largest is taken, the counts of cores are summed. */
export function readThrottled(read: ReadFile, cpus: Cpus): number | undefined {
  const counts = (name: string) =>
    cpus
      .map((cpu) => read(`${CPU}/cpu${cpu}/thermal_throttle/${name}`))
      .flatMap((text) => (text !== undefined && /^\d+\s*$/.test(text) ? [Number(text)] : []));
  const cores = counts('core_throttle_count');
  const packages = counts('package_throttle_count');
  if (cores.length + packages.length === 0) return undefined;
  return cores.reduce((sum, count) => sum + count, 0) + Math.max(0, ...packages);
}
