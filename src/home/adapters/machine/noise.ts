import type {
  CpuTicks,
  Frequency,
  Load,
  NoiseReading,
  PowerState,
  Turbo,
} from '../../core/machine/machine-probe.ts';
import { type ReadFile, readQuota, readTuning, readVirtualization } from './kernel-files.ts';

/** What any user may read of the kernel about noise. Missing files (containers, macOS) are missing facts. */
export function readNoise(read: ReadFile, list: (dir: string) => readonly string[]): NoiseReading {
  const cpus = usableCpus(read);
  const ours = cpus ?? [];
  return present({
    atMs: performance.now(),
    cpus,
    siblings: readSiblings(read, ours),
    governors: readGovernors(read, ours),
    turbo: readTurbo(read),
    power: readPower(read, list),
    frequency: readFrequency(read, ours),
    ticks: readTicks(read, ours),
    load: readLoad(read),
    waitedUs: wholeNumber(/^some .*\btotal=(\d+)/m.exec(read('proc/pressure/cpu') ?? '')?.[1]),
    throttled: readThrottled(read, ours),
    quota: readQuota(read),
    virtualization: readVirtualization(read),
  });
}

/** What taskset, a cpuset or the kernel left for us. */
function usableCpus(read: ReadFile): readonly number[] | undefined {
  const allowed = /^Cpus_allowed_list:\s*(\S+)$/m.exec(read('proc/self/status') ?? '')?.[1];
  const online = read('sys/devices/system/cpu/online');
  const cpus = parseCpuList(allowed ?? online ?? '');
  const isOnline = online === undefined ? undefined : new Set(parseCpuList(online));
  const ours = isOnline && isOnline.size > 0 ? cpus.filter((cpu) => isOnline.has(cpu)) : cpus;
  return ours.length === 0 ? undefined : ours;
}

const TURBO_SWITCHES = [
  { path: 'sys/devices/system/cpu/intel_pstate/no_turbo', off: '1' },
  { path: 'sys/devices/system/cpu/cpufreq/boost', off: '0' },
] as const;

function readTurbo(read: ReadFile): Turbo | undefined {
  const state = readTuning(read).turbo;
  const found = TURBO_SWITCHES.find(({ path }) => /^[01]\s*$/.test(read(path) ?? ''));
  return state && found ? { state, file: `/${found.path}`, off: found.off } : undefined;
}

function readPower(read: ReadFile, list: (dir: string) => readonly string[]): PowerState | undefined {
  const dir = 'sys/class/power_supply';
  const supplies = list(dir).map((name) => ({
    type: read(`${dir}/${name}/type`)?.trim(),
    isOn: read(`${dir}/${name}/online`)?.trim() === '1',
    isDraining: read(`${dir}/${name}/status`)?.trim() === 'Discharging',
    // The battery of a mouse does not power the machine.
    isOfDevice: read(`${dir}/${name}/scope`)?.trim() === 'Device',
  }));
  const own = supplies.filter(({ isOfDevice }) => !isOfDevice);
  const isDraining = own.some((it) => it.type === 'Battery' && it.isDraining);
  const isFed = own.some((it) => it.type !== 'Battery' && it.isOn);
  const profile = read('sys/firmware/acpi/platform_profile')?.trim();
  const isSaving = profile !== undefined && /^(low-power|quiet|cool)$/.test(profile);
  if (own.length === 0 && profile === undefined) return undefined;
  return { isOnBattery: isDraining && !isFed, ...(isSaving && { savingProfile: profile }) };
}

/** Sums of the columns user to steal of our CPUs; guest time is part of user already (proc(5)). */
function readTicks(read: ReadFile, cpus: readonly number[]): CpuTicks | undefined {
  const ours = new Set(cpus);
  let [total, steal] = [0, 0];
  for (const [, cpu, columns = ''] of (read('proc/stat') ?? '').matchAll(/^cpu(\d+) (.*)$/gm)) {
    const times = columns.trim().split(/\s+/).slice(0, 8).map(Number);
    if (!ours.has(Number(cpu)) || times.length < 8 || times.some(Number.isNaN)) continue;
    total += times.reduce((sum, time) => sum + time, 0);
    steal += times[7] ?? 0;
  }
  return total === 0 ? undefined : { total, steal };
}

function readLoad(read: ReadFile): Load | undefined {
  const [, average, running] = /^([\d.]+) [\d.]+ [\d.]+ (\d+)\//.exec(read('proc/loadavg') ?? '') ?? [];
  if (average === undefined || Number.isNaN(Number(average))) return undefined;
  return { average: Number(average), running: Math.max(0, Number(running) - 1) };
}

function wholeNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

type Possible<T> = { readonly [K in keyof T]: T[K] | undefined };

/** A fact that cannot be read is absent. */
function present({ atMs, ...facts }: Possible<NoiseReading> & Pick<NoiseReading, 'atMs'>): NoiseReading {
  const known = Object.entries(facts).filter(([, fact]) => fact !== undefined);
  return { atMs, ...(Object.fromEntries(known) as Partial<NoiseReading>) };
}

const CPU = 'sys/devices/system/cpu';

type Cpus = readonly number[];

/** Groups of our CPUs that are threads of one core; undefined where the topology is unknown. */
function readSiblings(read: ReadFile, cpus: Cpus): readonly Cpus[] | undefined {
  const groups = new Map<string, Cpus>();
  let isKnown = false;
  for (const cpu of cpus) {
    const text =
      read(`${CPU}/cpu${cpu}/topology/core_cpus_list`) ??
      read(`${CPU}/cpu${cpu}/topology/thread_siblings_list`);
    isKnown ||= text !== undefined;
    const group = parseCpuList(text ?? '').filter((it) => cpus.includes(it));
    if (group.length > 1) groups.set(group.join(','), group);
  }
  return isKnown ? [...groups.values()] : undefined;
}

function readGovernors(read: ReadFile, cpus: Cpus): readonly string[] | undefined {
  const all = cpus.map((cpu) => read(`${CPU}/cpu${cpu}/cpufreq/scaling_governor`)?.trim());
  const known = [...new Set(all)].filter((it) => it !== undefined && it !== '') as string[];
  return known.length === 0 ? undefined : known.sort();
}

function readFrequency(read: ReadFile, cpus: Cpus): Frequency | undefined {
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

/** Each CPU has the count of its package: the largest is taken. The counts of cores are summed. */
function readThrottled(read: ReadFile, cpus: Cpus): number | undefined {
  const counts = (name: string) =>
    cpus
      .map((cpu) => read(`${CPU}/cpu${cpu}/thermal_throttle/${name}`))
      .flatMap((text) => (text !== undefined && /^\d+\s*$/.test(text) ? [Number(text)] : []));
  const cores = counts('core_throttle_count');
  const packages = counts('package_throttle_count');
  if (cores.length + packages.length === 0) return undefined;
  return cores.reduce((sum, count) => sum + count, 0) + Math.max(0, ...packages);
}

/** "0-3,8" -> 0, 1, 2, 3, 8; empty for anything else. */
export function parseCpuList(text: string): readonly number[] {
  return text
    .trim()
    .split(',')
    .flatMap((part) => {
      const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(part.trim()) ?? [];
      const length = Number(last) - Number(first) + 1;
      return length > 0 && length <= MOST_CPUS
        ? Array.from({ length }, (_, index) => Number(first) + index)
        : [];
    });
}

/** The most that Linux can be built for. */
const MOST_CPUS = 8192;
