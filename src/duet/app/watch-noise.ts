import { findNoise, type NoisePlan, type NoiseWarning } from '../../home/core/machine/find-noise.ts';
import type { MachineProbe } from '../../home/core/machine/machine-probe.ts';

/** Looks at the machine now, and again when the function that it gives is called: what disturbed in between. */
export async function watchNoise(
  machine: MachineProbe,
  plan: NoisePlan,
): Promise<() => Promise<readonly string[]>> {
  const before = await machine.noise();
  return async () => findNoise(before, await machine.noise(), plan).map(noiseLine);
}

function noiseLine({ text, hint }: NoiseWarning): string {
  return `${text} → ${hint}`;
}
