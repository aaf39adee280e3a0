import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { procUnit } from '../../../core/machine/telemetry-file.ts';
import type { Reading, TelemetrySource } from '../../../core/machine/telemetry-source.ts';

export interface ProcOptions {
  /** The folder that holds proc/ and sys/. */
  readonly root: string;
  /** Milliseconds that never go back. */
  readonly nowMs: () => number;
}

/** Readings of the Linux kernel in /proc and /sys, for any user and without starting a program. */
export function procTelemetry({
  root = '/',
  nowMs = () => performance.now(),
}: Partial<ProcOptions> = {}): TelemetrySource {
  return {
    id: 'proc',
    title: 'CPU, memory, load, frequency and pressure from /proc and /sys',
    switch: 'cpu',
    async open() {
      const isThere = await stat(join(root, 'proc/stat')).then(
        () => true,
        () => false,
      );
      if (!isThere) return { state: 'missing', reason: `no ${join(root, 'proc/stat')} on this system` };
      return { state: 'open', sample: makeSample({ root, nowMs }) };
    },
  };
}

/** Remembers the counters of the sample before: shares and rates are those of the time in between. */
function makeSample({ root, nowMs }: ProcOptions): () => Promise<readonly Reading[]> {
  let times: CpuTimes | undefined;
  let disks: Counters | undefined;
  let network: Counters | undefined;

  return async () => {
    const [stat, memory, load, frequencies, pressure, newDisks, newNetwork] = await Promise.all([
      readOptional(join(root, 'proc/stat')),
      readMemory(root),
      readLoad(root),
      readFrequencies(root),
      readPressure(root),
      readDisks(root, nowMs),
      readNetwork(root, nowMs),
    ]);
    const newTimes = parseCpuTimes(stat ?? '');
    const readings = [
      ...shareOfTime(times, newTimes),
      ...memory,
      ...load,
      ...frequencies,
      ...pressure,
      ...perSecond('proc-disk', disks, newDisks),
      ...perSecond('proc-net', network, newNetwork),
    ];
    times = newTimes;
    disks = newDisks;
    network = newNetwork;
    if (newTimes === undefined && readings.length === 0) throw new Error(`nothing readable in ${root}`);
    return readings;
  };
}

export default procTelemetry();

/** Clock ticks since boot in each state; guest time is left out, the kernel counts it in user already. */
export type CpuTimes = readonly number[];

const STATES = ['user', 'nice', 'system', 'idle', 'iowait', 'irq', 'softirq', 'steal'] as const;

/** The line of all CPUs together in /proc/stat; undefined where there is none. */
function parseCpuTimes(stat: string): CpuTimes | undefined {
  const line = /^cpu +(.*)$/m.exec(stat)?.[1];
  const ticks = line?.split(' ').slice(0, STATES.length).map(Number);
  return ticks && ticks.length >= 4 && ticks.every(Number.isFinite) ? ticks : undefined;
}

/** Percent of the time since the sample before; nothing for the first one, or when no tick went by. */
function shareOfTime(before: CpuTimes | undefined, now: CpuTimes | undefined): readonly Reading[] {
  if (!before || !now) return [];
  // iowait may go back a little (proc(5)): that counts as none.
  const spent = now.map((ticks, index) => Math.max(0, ticks - (before[index] ?? 0)));
  const total = spent.reduce((sum, ticks) => sum + ticks, 0);
  if (total === 0) return [];
  return spent.map((ticks, index) => ({
    group: 'proc-cpu',
    label: STATES[index] ?? '',
    value: Math.round((ticks / total) * 10_000) / 100,
    unit: procUnit('proc-cpu'),
  }));
}

/** Of diskstats(5): the sector counts are of 512 bytes whatever the device says. */
const SECTOR_BYTES = 512;

/** Whole disks only: partitions and device-mapper volumes would count the same bytes again. */
const WHOLE_DISK = /^(?:sd[a-z]+|vd[a-z]+|xvd[a-z]+|hd[a-z]+|nvme\d+n\d+|mmcblk\d+)$/;

/** Links of containers and bridges carry what a real interface carries as well. */
const INNER_LINK = /^(?:lo|veth|docker|br-|virbr|ifb|dummy|cni|flannel|cali|tap|tun)/;

async function readDisks(root: string, nowMs: () => number): Promise<Counters> {
  const text = (await readOptional(join(root, 'proc/diskstats'))) ?? '';
  const bytes = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, , name = '', , , read, , , , written] = line.trim().split(/\s+/);
    if (!WHOLE_DISK.test(name)) continue;
    set(bytes, `${name}-read`, Number(read) * SECTOR_BYTES);
    set(bytes, `${name}-written`, Number(written) * SECTOR_BYTES);
  }
  return { atMs: nowMs(), bytes };
}

async function readNetwork(root: string, nowMs: () => number): Promise<Counters> {
  const text = (await readOptional(join(root, 'proc/net/dev'))) ?? '';
  const bytes = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, name, counts] = /^\s*([^\s:|]+):(.*)$/.exec(line) ?? [];
    if (name === undefined || counts === undefined || INNER_LINK.test(name)) continue;
    const columns = counts.trim().split(/\s+/);
    set(bytes, `${name}-received`, Number(columns[0]));
    set(bytes, `${name}-sent`, Number(columns[8]));
  }
  return { atMs: nowMs(), bytes };
}

function set(bytes: Map<string, number>, label: string, value: number): void {
  if (Number.isFinite(value)) bytes.set(label, value);
}

/** Bytes since boot by label, and when they were read. */
export interface Counters {
  readonly atMs: number;
  readonly bytes: ReadonlyMap<string, number>;
}

/** Bytes per second since the sample before. A counter that is new or began anew gives nothing this time. */
function perSecond(group: string, before: Counters | undefined, now: Counters): readonly Reading[] {
  const seconds = (now.atMs - (before?.atMs ?? now.atMs)) / 1000;
  if (!before || !(seconds > 0)) return [];
  return [...now.bytes].flatMap(([label, bytes]) => {
    const last = before.bytes.get(label);
    if (last === undefined || bytes < last) return [];
    return [{ group, label, value: Math.round((bytes - last) / seconds), unit: procUnit(group) }];
  });
}

/** Memory and swap in bytes; "used" is what programs could not get without swapping. */
async function readMemory(root: string): Promise<readonly Reading[]> {
  const text = (await readOptional(join(root, 'proc/meminfo'))) ?? '';
  const total = bytesOf(text, 'MemTotal');
  const available = bytesOf(text, 'MemAvailable');
  const values: readonly (readonly [string, number | undefined])[] = [
    ['total', total],
    ['available', available],
    ['used', difference(total, available)],
    ['swap-used', difference(bytesOf(text, 'SwapTotal'), bytesOf(text, 'SwapFree'))],
  ];
  return values.flatMap(([label, value]) =>
    value === undefined ? [] : [{ group: 'proc-memory', label, value, unit: procUnit('proc-memory') }],
  );
}

function bytesOf(meminfo: string, field: string): number | undefined {
  const kibibytes = new RegExp(`^${field}: +(\\d+) kB$`, 'm').exec(meminfo)?.[1];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}

function difference(whole: number | undefined, part: number | undefined): number | undefined {
  return whole === undefined || part === undefined ? undefined : whole - part;
}

/** The load averages, and how many threads want a CPU now. */
async function readLoad(root: string): Promise<readonly Reading[]> {
  const text = (await readOptional(join(root, 'proc/loadavg'))) ?? '';
  const match = /^([\d.]+) ([\d.]+) ([\d.]+) (\d+)\/\d+/.exec(text);
  const values = match?.slice(1).map(Number) ?? [];
  const group = 'proc-load';
  return ['1min', '5min', '15min', 'running'].flatMap((label, index) => {
    const value = values[index];
    return value === undefined || Number.isNaN(value) ? [] : [{ group, label, value, unit: procUnit(group) }];
  });
}

/** MHz of each CPU: from cpufreq, or from /proc/cpuinfo where a virtual machine has no cpufreq. */
async function readFrequencies(root: string): Promise<readonly Reading[]> {
  const scaling = await fromCpufreq(join(root, 'sys/devices/system/cpu'));
  return scaling.length > 0 ? scaling : fromCpuinfo((await readOptional(join(root, 'proc/cpuinfo'))) ?? '');
}

async function fromCpufreq(dir: string): Promise<readonly Reading[]> {
  const cpus = (await readdir(dir).catch(() => []))
    .filter((name) => /^cpu\d+$/.test(name))
    .sort((a, b) => Number(a.slice(3)) - Number(b.slice(3)));
  const texts = await Promise.all(
    cpus.map((cpu) => readOptional(join(dir, cpu, 'cpufreq/scaling_cur_freq'))),
  );
  return cpus.flatMap((cpu, index) => toReading(cpu, Number.parseInt(texts[index] ?? '', 10) / 1000));
}

function fromCpuinfo(text: string): readonly Reading[] {
  return text.split(/\n\n+/).flatMap((block) => {
    const cpu = /^processor\s*: (\d+)$/m.exec(block)?.[1];
    const mhz = /^cpu MHz\s*: ([\d.]+)$/m.exec(block)?.[1];
    return cpu === undefined ? [] : toReading(`cpu${cpu}`, Number.parseFloat(mhz ?? ''));
  });
}

function toReading(label: string, value: number): readonly Reading[] {
  const group = 'proc-frequency';
  return Number.isFinite(value) ? [{ group, label, value, unit: procUnit(group) }] : [];
}

/** Percent of the last ten seconds in which some or all tasks waited for a resource (kernel: accounting/psi). */
async function readPressure(root: string): Promise<readonly Reading[]> {
  const resources = ['cpu', 'memory', 'io'];
  const texts = await Promise.all(
    resources.map((resource) => readOptional(join(root, 'proc/pressure', resource))),
  );
  return resources.flatMap((resource, index) => {
    const lines = (texts[index] ?? '').matchAll(/^(some|full) avg10=(\d+(?:\.\d+)?)/gm);
    return [...lines].map(([, who = '', average = '']) => ({
      group: 'proc-pressure',
      label: `${resource}-${who}`,
      value: Number(average),
      unit: procUnit('proc-pressure'),
    }));
  });
}

/**
 * The text of a kernel file, or undefined: kernels, containers and virtual machines differ in what they offer, some
 * files are there and cannot be read (EACCES, EIO, EOPNOTSUPP, EINVAL), and a CPU may go offline in between.
 */
async function readOptional(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return undefined;
  }
}
