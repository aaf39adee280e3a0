import { createHash } from 'node:crypto';
import * as os from 'node:os';
import { cpus } from 'node:os';
import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import { DECIDING_FACTS, type MachineProbe, MEMORY_STEP } from '../../core/machine/machine-probe.ts';
import {
  type ReadBytes,
  type ReadFile,
  readContainer,
  readImage,
  readQuota,
  readTuning,
  readVirtualization,
  rootedBytes,
  rootedLister,
  rootedReader,
} from './kernel-files.ts';
import { readNoise } from './noise.ts';

export interface LocalMachineOptions {
  /** The folder that holds proc/, sys/ and etc/. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The machine that this process runs on, from files alone: no program is started. */
export function localMachine({
  root = '/',
  env = process.env,
}: Partial<LocalMachineOptions> = {}): MachineProbe {
  return {
    async probe() {
      const facts = readFacts(root, env);
      return { id: identityOf(facts), name: os.hostname(), facts };
    },
    noise: async () => readNoise(rootedReader(root), rootedLister(root)),
    bootId: () => rootedReader(root)('proc/sys/kernel/random/boot_id')?.trim(),
  };
}

function readFacts(root: string, env: LocalMachineOptions['env']): JsonObject {
  const read = rootedReader(root);
  return present({
    ...readProcessor(read),
    architecture: process.arch,
    memoryBytes: memoryBytes(read),
    kernel: read('proc/sys/kernel/osrelease')?.trim() ?? os.release(),
    os: osName(read('etc/os-release')) ?? os.type(),
    libc: readLibc(rootedBytes(root)),
    ...readTuning(read),
    ...readKernelSettings(read),
    virtualization: readVirtualization(read),
    container: readContainer(read, env),
    ...readImage(read),
    ...readLimits(read),
    node: process.version,
    hostName: os.hostname(),
  });
}

/**
 * A hash of the facts that decide about results; other facts explain changes and do not change the id. Memory counts in
 * steps of 256 MiB: the kernel takes a slightly different share for itself from one boot to the next.
 */
function identityOf(facts: JsonObject): string {
  const memory =
    typeof facts['memoryBytes'] === 'number' ? Math.round(facts['memoryBytes'] / MEMORY_STEP) : null;
  const deciding = [...DECIDING_FACTS.map((name) => facts[name] ?? null), memory];
  return createHash('sha256').update(JSON.stringify(deciding)).digest('hex').slice(0, 12);
}

function memoryBytes(read: ReadFile): number {
  const kibibytes = /^MemTotal: +(\d+) kB$/m.exec(read('proc/meminfo') ?? '')?.[1];
  return kibibytes === undefined ? os.totalmem() : Number(kibibytes) * 1024;
}

function osName(release: string | undefined): string | undefined {
  return /^PRETTY_NAME=["']?(.*?)["']?$/m.exec(release ?? '')?.[1];
}

/** A fact that cannot be read is absent, not null. */
function present(facts: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(facts).filter((fact): fact is [string, JsonValue] => fact[1] !== undefined),
  );
}

export interface Processor {
  readonly cpu: string | undefined;
  /** Physical cores, and the threads that they run. */
  readonly cores: number | undefined;
  readonly threads: number;
  readonly smt: 'on' | 'off' | undefined;
  readonly microcode: string | undefined;
}

function readProcessor(read: ReadFile): Processor {
  const blocks = (read('proc/cpuinfo') ?? '').split(/\n\n+/).filter((block) => /^processor\s*:/m.test(block));
  const first = blocks[0] ?? '';
  const isActive = read('sys/devices/system/cpu/smt/active')?.trim();
  const threads = blocks.length > 0 ? blocks.length : cpus().length;
  return {
    cpu: modelOf(first) ?? (blocks.length > 0 ? undefined : cpus()[0]?.model),
    cores: countCores(blocks, read) ?? (isActive === '0' ? threads : undefined),
    threads,
    smt: isActive === '1' ? 'on' : isActive === '0' ? 'off' : undefined,
    microcode: field(first, 'microcode'),
  };
}

/** ARM has no model name but numbers of maker and part. */
function modelOf(block: string): string | undefined {
  const name = field(block, 'model name');
  if (name !== undefined) return name;
  const numbers = ['CPU implementer', 'CPU variant', 'CPU part', 'CPU revision'].map((key) =>
    field(block, key),
  );
  const known = numbers.filter((text) => text !== undefined);
  return known.length === 0 ? undefined : `arm ${known.join(' ')}`;
}

/** Different pairs of socket and core; from sysfs where cpuinfo does not have them (ARM). */
function countCores(blocks: readonly string[], read: ReadFile): number | undefined {
  const places = blocks.map((block) => {
    const core = field(block, 'core id');
    if (core !== undefined) return `${field(block, 'physical id') ?? 0}:${core}`;
    const topology = `sys/devices/system/cpu/cpu${field(block, 'processor')}/topology`;
    const id = read(`${topology}/core_id`)?.trim();
    return id === undefined ? undefined : `${read(`${topology}/physical_package_id`)?.trim() ?? 0}:${id}`;
  });
  return places.length === 0 || places.includes(undefined) ? undefined : new Set(places).size;
}

function field(block: string, name: string): string | undefined {
  return new RegExp(`^${name}\\s*: *(.+)$`, 'm').exec(block)?.[1]?.trim();
}

export interface KernelSettings {
  readonly mitigations: string | undefined;
  readonly hugePages: string | undefined;
  readonly clockSource: string | undefined;
  readonly addressRandomization: string | undefined;
  readonly firmware: string | undefined;
}

/** Settings by which the same kernel on the same CPU is faster or slower. */
function readKernelSettings(read: ReadFile): KernelSettings {
  const line = (path: string) => read(path)?.trim() || undefined;
  const boot = read('proc/cmdline');
  return {
    // Only this option of the kernel command line: others may hold secrets.
    mitigations: boot === undefined ? undefined : (/(?:^|\s)mitigations=(\S+)/.exec(boot)?.[1] ?? 'default'),
    hugePages: /\[(\w+)\]/.exec(read('sys/kernel/mm/transparent_hugepage/enabled') ?? '')?.[1],
    clockSource: line('sys/devices/system/clocksource/clocksource0/current_clocksource'),
    addressRandomization: line('proc/sys/kernel/randomize_va_space'),
    firmware: line('sys/class/dmi/id/bios_version'),
  };
}

/**
 * The C library this process has loaded. glibc carries a sentence with its exact build; any other is named by its
 * file and a hash of the content, which changes with every build just as well.
 */
function readLibc(read: ReadBytes): string | undefined {
  const path = LIBC.exec(read('proc/self/maps')?.toString() ?? '')?.[1];
  const content = path === undefined ? undefined : read(path);
  if (path === undefined || content === undefined) return undefined;
  const at = content.indexOf('GNU C Library (');
  const sentence = at < 0 ? '' : content.toString('latin1', at, at + 200);
  const [, build, version] = /^GNU C Library \((.+?)\) .*?version (\d[\d.]*\d)/.exec(sentence) ?? [];
  if (version !== undefined) return `glibc ${version} (${build})`;
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  return `${path.slice(path.lastIndexOf('/') + 1)} ${hash}`;
}

/** A path at the end of a line of /proc/self/maps: libc.so.6, libc-2.31.so, ld-musl-x86_64.so.1. */
const LIBC = /\s(\/\S*\/(?:libc(?:-[\d.]+)?\.so(?:\.6)?|(?:ld-musl|libc\.musl)[^/\s]*))$/m;

export interface Limits {
  /** CPUs that may be used at once on average, or 'none'; absent where there are no cgroups. */
  readonly cpuLimit: number | 'none' | undefined;
  readonly memoryLimitBytes: number | 'none' | undefined;
  /** "0-3,8": where a cpuset or taskset lets us run. */
  readonly usableCpus: string | undefined;
}

/** What others allow this process to use: it explains a change although the machine is the same. */
function readLimits(read: ReadFile): Limits {
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
