import type { CpuQuota } from '../../../core/machine/noise-reading.ts';
import type { ReadFile } from './read-file.ts';

/** The tightest limit of CPU time on the way from our cgroup to the root; undefined where there are no cgroups. */
export function readQuota(read: ReadFile): CpuQuota | undefined {
  const lines = (read('proc/self/cgroup') ?? '').split('\n').map((line) => line.split(':'));
  const unified = lines
    .find(([id]) => id === '0')
    ?.slice(2)
    .join(':');
  const legacy = lines.find(([, names = '']) => names.split(',').includes('cpu'));
  const groups =
    legacy === undefined
      ? unified === undefined
        ? []
        : upwards(unified).map((path) => readUnified(read, `sys/fs/cgroup${path}`))
      : upwards(legacy.slice(2).join(':')).map((path) => readLegacy(read, `sys/fs/cgroup/cpu${path}`));
  const found = groups.filter((it) => it !== undefined);
  if (found.length === 0) return undefined;
  const limits = found.flatMap(({ cpus }) => (cpus === undefined ? [] : [cpus]));
  const sum = (pick: (group: CpuQuota) => number) => found.reduce((total, group) => total + pick(group), 0);
  return {
    ...(limits.length > 0 && { cpus: Math.min(...limits) }),
    throttledTimes: sum((it) => it.throttledTimes),
    throttledUs: sum((it) => it.throttledUs),
  };
}

/** /a/b -> /a/b, /a and the root. Inside of a container the path may be that of the host: the root is always there. */
function upwards(path: string): readonly string[] {
  const parts = path.split('/').filter((part) => part !== '');
  return [...parts.map((_, index) => `/${parts.slice(0, parts.length - index).join('/')}`), ''];
}

/** cgroup v2: cpu.max is "max 100000" or "150000 100000"; microseconds. */
function readUnified(read: ReadFile, dir: string): CpuQuota | undefined {
  const stat = read(`${dir}/cpu.stat`);
  const [, quota, period] = /^(\d+) (\d+)/.exec(read(`${dir}/cpu.max`) ?? '') ?? [];
  if (stat === undefined) return undefined;
  return {
    ...(quota !== undefined && Number(period) > 0 && { cpus: Number(quota) / Number(period) }),
    throttledTimes: field(stat, 'nr_throttled'),
    throttledUs: field(stat, 'throttled_usec'),
  };
}

/** cgroup v1: -1 is no limit; throttled_time is in nanoseconds. */
function readLegacy(read: ReadFile, dir: string): CpuQuota | undefined {
  const stat = read(`${dir}/cpu.stat`);
  const quota = Number(read(`${dir}/cpu.cfs_quota_us`) ?? -1);
  const period = Number(read(`${dir}/cpu.cfs_period_us`) ?? 0);
  if (stat === undefined) return undefined;
  return {
    ...(quota > 0 && period > 0 && { cpus: quota / period }),
    throttledTimes: field(stat, 'nr_throttled'),
    throttledUs: field(stat, 'throttled_time') / 1000,
  };
}

function field(stat: string, name: string): number {
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(stat)?.[1] ?? 0);
}
