import type { NoiseReading } from './noise-reading.ts';
import type { NoiseWarning } from './noise-warning.ts';

/** Settings of the machine that let its speed move. */
export function findSettingNoise(reading: NoiseReading): readonly NoiseWarning[] {
  return [governor(reading), turbo(reading), power(reading)].filter((it) => it !== undefined);
}

function governor({ governors = [] }: NoiseReading): NoiseWarning | undefined {
  const others = governors.filter((it) => it !== 'performance');
  if (others.length === 0) return undefined;
  return {
    kind: 'governor',
    text: `The CPU governor is ${others.join(' and ')}: the frequency follows the load.`,
    hint: 'sudo cpupower frequency-set -g performance',
  };
}

function turbo({ turbo: boost }: NoiseReading): NoiseWarning | undefined {
  if (boost?.state !== 'on') return undefined;
  return {
    kind: 'turbo',
    text: 'Turbo is on: the frequency depends on heat and on how many cores are busy.',
    hint: `echo ${boost.off} | sudo tee ${boost.file}`,
  };
}

function power({ power: supply }: NoiseReading): NoiseWarning | undefined {
  if (supply?.isOnBattery) {
    return { kind: 'power', text: 'The machine runs on battery.', hint: 'Plug it in.' };
  }
  if (supply?.savingProfile === undefined) return undefined;
  return {
    kind: 'power',
    text: `The power profile is ${supply.savingProfile}.`,
    hint: 'powerprofilesctl set performance',
  };
}
