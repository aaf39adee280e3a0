import type { CompareEffects, CompareRequest } from '../../app/duet/compare-request.ts';
import { watchNoise } from '../../app/duet/watch-noise.ts';
import type { NoisePlan } from '../../core/noise/noise-warning.ts';
import type { MachineProbe } from '../../core/ports/machine-probe.ts';
import { loadAdapter } from '../adapters.ts';

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
