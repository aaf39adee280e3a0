import { counted, formatDuration, plainly } from '../../../platform/core/text/numbers.ts';
import { type Design, inflation, type Plan, type PlanAim, type PlanBasis, type Reach } from './plan.ts';
import { LEAST_RUNS, MOST_RUNS } from './plan-comparison.ts';
import { ASSUMED_GAIN } from './plan-noise.ts';

/** The plan as text: "10 runs of 30 iterations a side, about 23 min; as duets 4 runs, about 6 min. In 5 minutes ..." */
export function planSentence({ alone, duet, minutes, inTime }: Plan): string {
  const side = designText(alone, { withIterations: true, side: ' a side' });
  const pairs = designText(duet, { withIterations: duet?.iterations !== alone?.iterations, side: '' });
  const designs = `${side}; as duets ${pairs}`;
  return alone?.seconds === undefined && duet?.seconds === undefined
    ? `${designs}.`
    : `${designs}. ${reachText(minutes, inTime)}`;
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

function designText(design: Design | undefined, { withIterations, side }: Wording): string {
  if (!design) return `more than ${counted(MOST_RUNS, 'run')}: out of reach`;
  const { runs, iterations, seconds } = design;
  const each = withIterations && iterations > 1 ? ` of ${counted(iterations, 'iteration')}` : '';
  const time = seconds === undefined ? '' : `, about ${aboutText(seconds)}`;
  return plainly(`${counted(runs, 'run')}${each}${side}${time}`);
}

function reachText(minutes: number, { alone, duet }: Plan['inTime']): string {
  const time = `In ${counted(minutes, 'minute')}`;
  const see = ({ effect }: Reach) => effectText(effect);
  if (!alone && !duet) return `${time} there is no comparison: ${LEAST_RUNS} runs do not fit.`;
  if (!alone) return `${time} you can see ${see(duet as Reach)}, and only as duets.`;
  return `${time} you can see ${see(alone)}${duet ? `, as duets ${see(duet)}` : ''}.`;
}

const FEW = 10;
/** What nights commonly show is assumed of all, and not worth a note. */
const NOTABLE_CORRELATION = 0.3;
/** The default of commands that compare. */
const USUAL_MIN_EFFECT = 0.01;

/** What a reader should know before he believes the plan; one sentence each. */
export function planNotes(
  { input, count, counts = 'run', correlation }: PlanBasis,
  { detect, minEffect }: PlanAim,
): readonly string[] {
  const notes: string[] = [];
  if (count !== undefined && count < FEW) {
    // The standard error of a deviation from n values is 1 / sqrt(2 (n - 1)) of it; the runs go with its square.
    const off = Math.round(100 / Math.sqrt(2 * (count - 1)));
    notes.push(
      `The spread rests on ${count} ${counts}s and is accurate to about ± ${off} %: runs are added for that. Plan again when there are more.`,
    );
  }
  if (correlation > NOTABLE_CORRELATION) {
    notes.push(
      `Neighbouring ${counts}s resemble each other (correlation ${correlation.toFixed(2)}): sides measured alone need ` +
        `${inflation(correlation).toFixed(1)} times as many runs. Measuring them in turns, or as duets, avoids that.`,
    );
  }
  if (minEffect === undefined && detect <= USUAL_MIN_EFFECT) {
    notes.push(
      `To see is to be sure that there is a difference. An alarm needs one that is surely beyond --min-effect (1 % in ` +
        'duet and compare): to plan for it, give --min-effect here too, and a larger --detect.',
    );
  }
  if (!input.pairs.isMeasured) {
    notes.push(
      `No duets were measured here: it is assumed that they are ${ASSUMED_GAIN} times as sharp as sides measured ` +
        'alone, the least that was published. Measure yours: nightmark duet "COMMAND" --export-json pairs.json, ' +
        'then add --duet pairs.json.',
    );
  }
  if (!input.time) notes.push('The duration of a run is unknown: give it with --time, such as --time 2min.');
  return notes;
}

/** "3.1 % from run to run". */
export function spreadText(deviation: number, counts = 'run'): string {
  return `${effectText(deviation)} from ${counts} to ${counts}`;
}
