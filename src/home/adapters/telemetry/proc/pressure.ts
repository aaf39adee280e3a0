import { join } from 'node:path';
import type { Reading } from '../../../core/machine/telemetry.ts';
import { procUnit } from '../../../core/machine/telemetry-value.ts';
import { readOptional } from './read-optional.ts';

/** Percent of the last ten seconds in which some or all tasks waited for a resource (kernel: accounting/psi). */
export async function readPressure(root: string): Promise<readonly Reading[]> {
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
