import type { Side } from '../../git/core/version-pairs.ts';
import { counted, formatDuration, formatNumber, plainly } from '../../platform/core/text/numbers.ts';
import { mean, median, quantile } from '../../stats/summary.ts';
import type { Comparison } from './comparison.ts';

export interface Circumstances {
  /** Pairs left out because of a timeout. */
  readonly dropped: number;
  readonly left: number;
  /** What the shell takes by itself. */
  readonly shellSeconds?: number;
}

/** Sides that differ more than this do not share the machine for long enough. */
const FAR_APART = 1.5;
/** A later start than this share of the run is felt. */
const LARGE_SKEW = 0.02;
const LARGE_SHELL = 0.05;
/** Beyond the quartiles by three times their distance: Tukey's far outliers. */
const FAR_OUT = 3;
/** Of the mean, from the first to the last third of the pairs. */
const LARGE_DRIFT = 0.1;

/** What weakens or explains the ratio, one sentence each. */
export function comparisonNotes(
  comparison: Comparison,
  { dropped, left, shellSeconds }: Circumstances,
): readonly string[] {
  const { A, B } = comparison.sides;
  const notes: string[] = [];
  if (dropped > 0) notes.push(`${counted(dropped, 'pair')} left out: a side ran into the timeout.`);
  for (const { name, exitCodes } of [A, B]) {
    const bad = exitCodes.filter((code) => code !== 0).length;
    if (bad > 0)
      notes.push(`${name} failed in ${bad} of ${exitCodes.length} runs; their times are included.`);
  }
  if (left > 0) {
    notes.push(
      `${counted(left, 'process', 'processes')} that the commands started still ran at the end: CPU time is that of processes that were waited for.`,
    );
  }
  if (A.times.length === 0 || B.times.length === 0) return notes.map(plainly);
  if (comparison.mode === 'together') notes.push(...togetherNotes(comparison));
  else if (comparison.mode === 'one-after-another') notes.push(SEQUENTIAL);
  if (shellSeconds !== undefined) notes.push(...shellNotes(comparison, shellSeconds));
  for (const side of ['A', 'B'] as const) notes.push(...spreadNotes(comparison, side));
  return notes.map(plainly);
}

const SEQUENTIAL =
  'A ran before B: whatever the machine did in between looks like a difference of the two. --alternate and --together guard against it.';

function togetherNotes({ sides: { A, B }, skewNs = 0, aloneShare = 0 }: Comparison): readonly string[] {
  const [meanA, meanB] = [mean(A.times), mean(B.times)];
  const notes: string[] = [];
  if (Math.max(meanA, meanB) > FAR_APART * Math.min(meanA, meanB)) {
    notes.push(
      `The slower side ran alone for ${Math.round(aloneShare * 100)} % of its time and had the machine to itself, which shrinks the ratio; --alternate measures it alone throughout.`,
    );
  }
  if (skewNs / 1e9 > LARGE_SKEW * Math.min(meanA, meanB)) {
    notes.push(
      `The sides started ${formatNumber(skewNs / 1e9, 's')} apart (median): much for runs this short.`,
    );
  }
  return notes;
}

function shellNotes({ sides: { A, B } }: Comparison, seconds: number): readonly string[] {
  const share = seconds / Math.min(median(A.times), median(B.times));
  if (share < LARGE_SHELL) return [];
  return [
    `The shell alone takes about ${formatNumber(seconds, 's')}, ${Math.round(share * 100)} % of the faster side, and draws the ratio towards 1; -N runs the commands without one.`,
  ];
}

function spreadNotes({ sides }: Comparison, side: Side): readonly string[] {
  const { name, times } = sides[side];
  if (times.length < 10) return [];
  const notes: string[] = [];
  const [low, high] = [quantile(times, 0.25), quantile(times, 0.75)];
  const limit = high + FAR_OUT * (high - low);
  const far = times.filter((time) => time > limit);
  if (far.length > 0) {
    notes.push(
      `${name}: ${far.length} of ${times.length} runs took far longer than the rest (up to ${formatDuration(Math.max(...far) * 1000)}).`,
    );
  }
  const third = Math.floor(times.length / 3);
  const drift = median(times.slice(-third)) / median(times.slice(0, third)) - 1;
  if (Math.abs(drift) > LARGE_DRIFT) {
    const how = drift > 0 ? 'slower' : 'faster';
    notes.push(
      `${name} became ${Math.round(Math.abs(drift) * 100)} % ${how} from the first to the last third of the runs; more --warmup may help.`,
    );
  }
  return notes;
}
