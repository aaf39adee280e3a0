import { selectMedian } from './select.ts';

/**
 * Whether a series walks: each point goes on from the one before and to no level, so that differences of neighbours do not
 * undo each other, as those of noise around a level do. A step counts as one far difference, not by its size.
 */
export function isWalk(values: Float64Array): boolean {
  if (values.length < FEWEST) return false;
  const differences = values.subarray(1).map((value, i) => value - (values[i] as number)); // one less
  const most = REACH * MAD_FACTOR * selectMedian(differences.map(Math.abs));
  let [squares, products, last] = [0, 0, 0];
  for (const difference of differences) {
    const pulled = Math.max(-most, Math.min(most, difference));
    squares += pulled ** 2;
    products += pulled * last;
    last = pulled;
  }
  // Differences of noise correlate by half of what the correlation of its neighbours lacks to 1.
  return squares > 0 && 1 + (2 * products) / squares > PERSISTENT;
}

/** Whether a walk jumps at a place: it goes further within a few points than it does elsewhere. */
export function isJump(values: Float64Array, at: number, points: number): boolean {
  const rises = risesOf(values, points);
  const deviation = selectMedian(rises.map(Math.abs)) * MAD_FACTOR;
  return Math.abs(rises[at - points] ?? 0) > JUMP * deviation;
}

const FEWEST = 30;
/** Correlation of neighbours from which on there is no level to speak of. */
const PERSISTENT = 0.8;
const REACH = 2.5;
/** Deviations of what it goes elsewhere. */
const JUMP = 4.5;
/** 1 / normalQuantile(3/4): the median distance of normal values times this is their deviation. */
const MAD_FACTOR = 1.482602218505602;

/** At each place with so many points on both sides. */
function risesOf(values: Float64Array, points: number): Float64Array {
  const rises = new Float64Array(Math.max(0, values.length - 2 * points + 1));
  for (let i = 0; i < rises.length; i++) {
    let rise = 0;
    for (let k = 0; k < points; k++) rise += (values[i + points + k] as number) - (values[i + k] as number); // within the values
    rises[i] = rise / points;
  }
  return rises;
}
