import { counted, formatDuration, plainly } from '../../../platform/core/text/numbers.ts';
import { LEAST_RUNS, MOST_RUNS } from './fewest-runs.ts';
import type { Design, Plan, Reach } from './plan.ts';

/** The plan in plain words: "10 runs of 30 iterations a side, about 23 min; as duets 4 runs, about 6 min. In 5 minutes ..." */
export function planSentence({ alone, duet, minutes, inTime }: Plan): string {
  const side = designWords(alone, { withIterations: true, side: ' a side' });
  const pairs = designWords(duet, { withIterations: duet?.iterations !== alone?.iterations, side: '' });
  const designs = `${side}; as duets ${pairs}`;
  return alone?.seconds === undefined && duet?.seconds === undefined
    ? `${designs}.`
    : `${designs}. ${reachWords(minutes, inTime)}`;
}

/** A small percentage with two digits that mean something: 0.027 is "2.7 %". */
export function effectText(fraction: number): string {
  return `${Number((fraction * 100).toPrecision(2))} %`;
}

/** Rounded to what such an estimate is worth: two digits or so. */
export function aboutText(seconds: number): string {
  const step = seconds < 10 ? 1 : seconds < 600 ? 10 : seconds < 36_000 ? 60 : 3600;
  return plainly(formatDuration(Math.max(step, Math.round(seconds / step) * step) * 1000));
}

interface Wording {
  readonly withIterations: boolean;
  readonly side: string;
}

function designWords(design: Design | undefined, { withIterations, side }: Wording): string {
  if (!design) return `more than ${counted(MOST_RUNS, 'run')}: out of reach`;
  const { runs, iterations, seconds } = design;
  const each = withIterations && iterations > 1 ? ` of ${counted(iterations, 'iteration')}` : '';
  const time = seconds === undefined ? '' : `, about ${aboutText(seconds)}`;
  return plainly(`${counted(runs, 'run')}${each}${side}${time}`);
}

function reachWords(minutes: number, { alone, duet }: Plan['inTime']): string {
  const time = `In ${counted(minutes, 'minute')}`;
  const see = ({ effect }: Reach) => effectText(effect);
  if (!alone && !duet) return `${time} there is no comparison: ${LEAST_RUNS} runs do not fit.`;
  if (!alone) return `${time} you can see ${see(duet as Reach)}, and only as duets.`;
  return `${time} you can see ${see(alone)}${duet ? `, as duets ${see(duet)}` : ''}.`;
}
