import { seededRandom, shuffle } from '../../../stats/random.ts';
import { findChanges } from '../levels/find-changes.ts';
import { CHANGE_DEFAULTS } from '../levels/options.ts';

/** How often the detector finds a change where there is none, at one strictness. */
export interface ReplayedDetector {
  readonly maxP: number;
  readonly changes: number;
  readonly values: number;
}

/** Long enough to keep what neighbours have in common, short enough that their order can be mixed. */
const BLOCK = 25;
const MOST = 20_000;
/** Each ten times as strict as the one before. */
const STEPS = 4;

/**
 * The mildest strictness, from the default on, at which histories without their changes show at most `allowed` changes
 * a value; the strictest tried if none does. Undefined where histories are too short to mix their blocks.
 */
export function replayDetector(
  histories: readonly { readonly values: Float64Array }[],
  allowed: number,
): ReplayedDetector | undefined {
  const steady = steadySeries(histories);
  const values = steady.reduce((sum, one) => sum + one.length, 0);
  if (values === 0) return undefined;
  let tried: ReplayedDetector | undefined;
  for (let step = 0; step < STEPS; step++) {
    const maxP = CHANGE_DEFAULTS.maxP * 10 ** -step;
    const changes = steady.reduce(
      (sum, one) => sum + findChanges({ values: one }, { maxP }).changes.length,
      0,
    );
    tried = { maxP, changes, values };
    if (changes <= allowed * values) break;
  }
  return tried;
}

/** Levels moved onto the first one, and blocks of nights in another order: what is found in these is chance. */
function steadySeries(histories: readonly { readonly values: Float64Array }[]): readonly Float64Array[] {
  const random = seededRandom(1);
  const steady: Float64Array[] = [];
  let total = 0;
  for (const { values } of histories) {
    if (values.length < 2 * BLOCK) continue;
    if (total >= MOST) break;
    total += values.length;
    steady.push(mixed(level(values), random));
  }
  return steady;
}

function level(values: Float64Array): Float64Array {
  const { levels } = findChanges({ values });
  const first = levels[0]?.value ?? 0;
  const moved = values.slice();
  for (const { start, end, value } of levels) {
    const factor = first / value;
    // A level of 0, or of the other sign, has no ratio to the first: it is moved by the difference.
    for (let place = start; place < end; place++) {
      const old = moved[place] ?? 0;
      moved[place] = factor > 0 && Number.isFinite(factor) ? old * factor : old + first - value;
    }
  }
  return moved;
}

function mixed(values: Float64Array, random: () => number): Float64Array {
  const starts = Array.from({ length: Math.ceil(values.length / BLOCK) }, (_, block) => block * BLOCK);
  return Float64Array.from(
    shuffle(starts, random).flatMap((start) => [...values.subarray(start, start + BLOCK)]),
  );
}
