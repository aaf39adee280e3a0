import type { Iterations } from '../../formats/core/iterations.ts';
import type { DuetRunType } from './duet.ts';

/**
 * The iterations as they would have been, had each taken `fraction` longer (negative: shorter). Where both sides run
 * freely the extra time adds up and later iterations begin later, with the gaps between them kept; elsewhere each
 * iteration begins when it began, since a barrier or a run of its own decides about that.
 */
export function slowDown(iterations: Iterations, fraction: number, type: DuetRunType): Iterations {
  if (fraction === 0) return iterations;
  const times = iterations.times.map((time) => time * (1 + fraction));
  const { starts, ends } = iterations;
  if (!starts || !ends) return { ...iterations, times };
  const newStarts = new Float64Array(starts.length);
  const newEnds = new Float64Array(starts.length);
  let extra = 0;
  for (let i = 0; i < starts.length; i++) {
    const start = (starts[i] as number) + (type === 'duet' ? extra : 0); // i is below the length
    extra += (times[i] as number) - (iterations.times[i] as number);
    newStarts[i] = start;
    newEnds[i] = type === 'duet' ? (ends[i] as number) + extra : start + (times[i] as number);
  }
  return { ...iterations, starts: newStarts, ends: newEnds, times };
}
