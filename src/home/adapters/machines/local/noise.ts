import type { CpuTicks, Load, NoiseReading, PowerState, Turbo } from '../../../core/machine/noise-reading.ts';
import { parseCpuList } from './cpu-list.ts';
import { readQuota } from './cpu-quota.ts';
import { readVirtualization } from './isolation.ts';
import { readFrequency, readGovernors, readSiblings, readThrottled } from './noise-cpus.ts';
import type { ReadFile } from './read-file.ts';
import { readTuning } from './tuning.ts';

/** All that the kernel tells any user about noise. Missing files (containers, macOS) are missing facts. */
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
    // The battery of a mouse is no supply of the machine.
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
function present(reading: Possible<NoiseReading> & Pick<NoiseReading, 'atMs'>): NoiseReading {
  return Object.fromEntries(
    Object.entries(reading).filter(([, fact]) => fact !== undefined),
  ) as unknown as NoiseReading;
}
