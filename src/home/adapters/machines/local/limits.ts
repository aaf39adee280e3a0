import { readQuota } from './cpu-quota.ts';
import type { ReadFile } from './read-file.ts';

export interface Limits {
  /** CPUs that may be used at once on average, or 'none'; absent where there are no cgroups. */
  readonly cpuLimit: number | 'none' | undefined;
  readonly memoryLimitBytes: number | 'none' | undefined;
  /** "0-3,8": where a cpuset or taskset lets us run. */
  readonly usableCpus: string | undefined;
}

/** What others allow this process to use: it explains a change although the machine is the same. */
export function readLimits(read: ReadFile): Limits {
  const quota = readQuota(read);
  return {
    cpuLimit: quota === undefined ? undefined : (quota.cpus ?? 'none'),
    memoryLimitBytes: memoryLimit(read),
    usableCpus: /^Cpus_allowed_list:\s*(\S+)$/m.exec(read('proc/self/status') ?? '')?.[1],
  };
}

/** Of our own cgroup, or of the root that a container sees in its place. */
function memoryLimit(read: ReadFile): Limits['memoryLimitBytes'] {
  const path = /^0::(\/.*)$/m.exec(read('proc/self/cgroup') ?? '')?.[1];
  const files = [
    ...(path === undefined ? [] : [`sys/fs/cgroup${path}/memory.max`]),
    'sys/fs/cgroup/memory.max',
    'sys/fs/cgroup/memory/memory.limit_in_bytes',
  ];
  const text = files.map((file) => read(file)?.trim()).find((it) => it !== undefined && it !== '');
  if (text === undefined) return undefined;
  const bytes = Number(text);
  // Version 1 writes the largest page count for "none".
  return text === 'max' || bytes > 2 ** 62 ? 'none' : Number.isFinite(bytes) ? bytes : undefined;
}
