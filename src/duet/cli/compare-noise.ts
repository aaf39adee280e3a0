import type { NoisePlan } from '../../home/core/machine/find-noise.ts';
import type { MachineProbe } from '../../home/core/machine/machine-probe.ts';
import { loadAdapter } from '../../platform/cli/adapters.ts';
import type { CompareEffects, CompareRequest } from '../app/compare-request.ts';
import { watchNoise } from '../app/watch-noise.ts';

/** The noise check of this machine for comparisons that all run in the same way. */
export async function noiseWatcher([first]: readonly CompareRequest[]): Promise<
  NonNullable<CompareEffects['watchNoise']>
> {
  const machine = await loadAdapter<MachineProbe>('machines', 'local');
  const cores = first?.cores;
  const plan: NoisePlan = {
    mode: first?.mode ?? 'together',
    ...(cores && { pinning: { A: cores[0], B: cores[1] } }),
  };
  return () => watchNoise(machine, plan);
}
