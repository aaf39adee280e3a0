import type { ReadFile } from './read-file.ts';

export interface KernelSettings {
  readonly mitigations: string | undefined;
  readonly hugePages: string | undefined;
  readonly clockSource: string | undefined;
  readonly addressRandomization: string | undefined;
  readonly firmware: string | undefined;
}

/** Settings by which the same kernel on the same CPU is faster or slower. */
export function readKernelSettings(read: ReadFile): KernelSettings {
  const line = (path: string) => read(path)?.trim() || undefined;
  const boot = read('proc/cmdline');
  return {
    // Only this word of the command line: others may hold secrets.
    mitigations: boot === undefined ? undefined : (/(?:^|\s)mitigations=(\S+)/.exec(boot)?.[1] ?? 'default'),
    hugePages: /\[(\w+)\]/.exec(read('sys/kernel/mm/transparent_hugepage/enabled') ?? '')?.[1],
    clockSource: line('sys/devices/system/clocksource/clocksource0/current_clocksource'),
    addressRandomization: line('proc/sys/kernel/randomize_va_space'),
    firmware: line('sys/class/dmi/id/bios_version'),
  };
}
