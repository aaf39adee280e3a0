import { prepareNewest } from '../../core/newest/judge-newest.ts';
import { pooledPriors } from '../../core/newest/noise-pool.ts';
import type { NewestShift, SeriesOutcome } from './judge-one.ts';

/**
 * The noise that series of a group show together, for the newest value of each of them. Short series are judged again by
 * it: three or four values say next to nothing about their own. What a machine did to all has been taken out before.
 */
export function withPooledNoise(judged: readonly SeriesOutcome[]): readonly SeriesOutcome[] {
  const priors = pooledPriors(
    judged.map(({ newest }) => noiseGroup(newest.from)),
    (place) => judged[place] && likelihoodOf(judged[place].newest),
  );
  return judged.map((one, place) => {
    const noise = priors[place];
    if (noise === undefined) return one;
    const again = one.again?.(noise) ?? one;
    return { ...again, newest: { ...again.newest, noise } };
  });
}

/** Series of one experiment on one machine in one unit are measured in the same way: their noise is alike. */
function noiseGroup({ series, unit, machine }: NewestShift['from']): string {
  return JSON.stringify([series.kind === 'value' ? series.experiment : series.kind, machine, unit]);
}

function likelihoodOf({ settled, input }: NewestShift): Float32Array | undefined {
  return prepareNewest({ ...input, history: settled }).placed?.likelihood;
}
