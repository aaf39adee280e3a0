import { cpus } from 'node:os';
import type { ReadFile } from './read-file.ts';

export interface Processor {
  readonly cpu: string | undefined;
  /** Physical cores, and the threads that they run. */
  readonly cores: number | undefined;
  readonly threads: number;
  readonly smt: 'on' | 'off' | undefined;
  readonly microcode: string | undefined;
}

export function readProcessor(read: ReadFile): Processor {
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

/** Different pairs of socket and core; from sysfs where cpuinfo does not tell (ARM). */
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
