import { findChanges } from '../levels/find-changes.ts';
import { compareNewest } from './compare-newest.ts';
import { LEAST_HISTORY } from './judge-newest.ts';

/** Values before the replayed one: enough to know the noise, few enough to be quick. */
const WINDOW = 30;
/** Most replayed values over all series; more would not move a threshold. */
const MOST = 20_000;

/**
 * Judges values again as if each were the newest, within the level that it belongs to. Real changes are borders of
 * levels and not replayed, so what looks unlikely here is a false alarm.
 */
export function replayedChances(histories: readonly { readonly values: Float64Array }[]): Float64Array {
  const total = histories.reduce((sum, { values }) => sum + values.length, 0);
  const stride = Math.max(1, Math.ceil(total / MOST));
  return Float64Array.from(histories.flatMap(({ values }) => chancesOf(values, stride)));
}

function chancesOf(values: Float64Array, stride: number): readonly number[] {
  const { levels } = findChanges({ values });
  const chances: number[] = [];
  for (const { start, end } of levels) {
    const level = values.subarray(start, end).filter(Number.isFinite);
    for (let place = LEAST_HISTORY; place < level.length; place += stride) {
      const history = level.slice(Math.max(0, place - WINDOW), place);
      chances.push(compareNewest(history, level.slice(place, place + 1)).p);
    }
  }
  return chances;
}
