import { meanOver, type Sums, squaresOver } from './sums.ts';

/**
 * Correlation of neighbouring points around their levels, 0 to MOST: from neighbours, and where it lasts longer than
 * those tell, from every second point. Each level counts by its points and in its own unit of noise, so that a loud
 * one does not decide. `bounds`: where levels begin, and the end.
 */
export function correlationAround(values: Float64Array, sums: Sums, bounds: readonly number[]): number {
  let [near, far, points, levels] = [0, 0, 0, 0];
  for (let j = 0; j + 1 < bounds.length; j++) {
    const part = { from: bounds[j] as number, to: bounds[j + 1] as number };
    const count = part.to - part.from;
    const variance = squaresOver(sums, part) / count;
    if (count < FEWEST || !(variance > 0)) continue;
    const mean = meanOver(sums, part);
    let [last, lastButOne, products, skipped] = [0, 0, 0, 0];
    for (let i = part.from; i < part.to; i++) {
      const distance = (values[i] as number) - mean;
      products += distance * last;
      skipped += distance * lastButOne;
      [lastButOne, last] = [last, distance];
    }
    near += products / variance;
    far += skipped / variance;
    points += count;
    levels++;
  }
  if (points === 0) return 0;
  // Taking out its mean makes each level look 1 / count less correlated than it is.
  const one = Math.max(0, (near + levels) / points);
  const two = Math.sqrt(Math.max(0, (far + levels) / points));
  return Math.min(MOST, Math.max(one, LONG * two + (1 - LONG) * one));
}

/** How many points stand for one independent point. */
export const inflation = (correlation: number): number => (1 + correlation) / (1 - correlation);

const FEWEST = 6;
const MOST = 0.8;
/** How much the longer memory counts. */
const LONG = 0.3;
