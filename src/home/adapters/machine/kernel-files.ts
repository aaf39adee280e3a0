import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CpuQuota } from '../../core/machine/machine-probe.ts';

/** Text of a file below the root; undefined when it is not there or not for us. */
export type ReadFile = (path: string) => string | undefined;
export type ReadBytes = (path: string) => Buffer | undefined;

export function rootedReader(root: string): ReadFile {
  const readBytes = rootedBytes(root);
  return (path) => readBytes(path)?.toString('utf8');
}

export function rootedBytes(root: string): ReadBytes {
  return (path) => {
    try {
      return readFileSync(join(root, path));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
      return undefined;
    }
  };
}

/** Sorted names in a folder below the root; none when it is not there. */
export function rootedLister(root: string): (dir: string) => readonly string[] {
  return (dir) => {
    try {
      return readdirSync(join(root, dir)).sort();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
      return [];
    }
  };
}

/** The hypervisor of a virtual machine, as far as it is visible; undefined on bare metal. */
export function readVirtualization(read: ReadFile): string | undefined {
  const product = ['sys_vendor', 'product_name']
    .map((name) => read(`sys/class/dmi/id/${name}`)?.trim())
    .filter((text) => text !== undefined && text !== '')
    .join(' ');
  const isGuest = /^flags\s*:.*\bhypervisor\b/m.test(read('proc/cpuinfo') ?? '');
  const known = /qemu|kvm|vmware|virtualbox|xen|amazon ec2|google compute|virtual machine|bochs|parallels/i;
  if (isGuest || known.test(product)) {
    return product || read('sys/hypervisor/type')?.trim() || 'unknown hypervisor';
  }
  return read('sys/hypervisor/type')?.trim();
}

/** The kind of container around this process; undefined outside of one. */
export function readContainer(
  read: ReadFile,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (env['KUBERNETES_SERVICE_HOST']) return 'kubernetes';
  if (read('run/.containerenv') !== undefined) return 'podman';
  if (read('.dockerenv') !== undefined) return 'docker';
  const name = env['container'];
  if (name) return name;
  return /kubepods|docker|libpod|lxc/.exec(read('proc/1/cgroup') ?? '')?.[0];
}

/** The image of the container: podman writes it into the container, other engines do not. */
export function readImage(read: ReadFile): { readonly image?: string; readonly imageId?: string } {
  const text = read('run/.containerenv') ?? '';
  const [, image] = /^image="([^"]+)"$/m.exec(text) ?? [];
  const [, imageId] = /^imageid="([^"]+)"$/m.exec(text) ?? [];
  return { ...(image !== undefined && { image }), ...(imageId !== undefined && { imageId }) };
}

export interface Tuning {
  readonly governor: string | undefined;
  readonly turbo: 'on' | 'off' | undefined;
}

/** How the frequency is governed: settings that an administrator changes between nights. */
export function readTuning(read: ReadFile): Tuning {
  const cpu = 'sys/devices/system/cpu';
  return {
    governor: read(`${cpu}/cpu0/cpufreq/scaling_governor`)?.trim(),
    turbo:
      onOff(read(`${cpu}/intel_pstate/no_turbo`), { on: '0', off: '1' }) ??
      onOff(read(`${cpu}/cpufreq/boost`), { on: '1', off: '0' }),
  };
}

function onOff(text: string | undefined, { on, off }: { on: string; off: string }): 'on' | 'off' | undefined {
  const value = text?.trim();
  return value === on ? 'on' : value === off ? 'off' : undefined;
}

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

/** cgroup v1: -1 means no limit; throttled_time is in nanoseconds. */
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
