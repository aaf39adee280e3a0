import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Reading } from '../../../core/machine/telemetry.ts';
import { procUnit } from '../../../core/machine/telemetry-value.ts';
import { readOptional } from './read-optional.ts';

/** MHz of each CPU: from cpufreq, or from /proc/cpuinfo where a virtual machine has no cpufreq. */
export async function readFrequencies(root: string): Promise<readonly Reading[]> {
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
