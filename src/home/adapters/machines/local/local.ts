import { createHash } from 'node:crypto';
import * as os from 'node:os';
import type { JsonObject, JsonValue } from '../../../../platform/core/text/json.ts';
import { DECIDING_FACTS, MEMORY_STEP } from '../../../core/machine/machine-facts.ts';
import type { MachineProbe } from '../../../core/machine/machine-probe.ts';
import { readContainer, readImage, readVirtualization } from './isolation.ts';
import { readKernelSettings } from './kernel-settings.ts';
import { readLibc } from './libc.ts';
import { readLimits } from './limits.ts';
import { readNoise } from './noise.ts';
import { readProcessor } from './processor.ts';
import { type ReadFile, rootedBytes, rootedLister, rootedReader } from './read-file.ts';
import { readTuning } from './tuning.ts';

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
    id: 'local',
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
 * A hash of what decides about results; what is read beyond it explains changes and leaves the id as it is. Memory counts in steps of 256 MiB: the kernel takes a slightly different
 * share for itself from one boot to the next.
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

export default localMachine();
