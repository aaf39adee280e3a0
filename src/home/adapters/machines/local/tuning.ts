import type { ReadFile } from './read-file.ts';

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
