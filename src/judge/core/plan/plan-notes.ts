import { ASSUMED_GAIN } from './pair-noise.ts';
import { inflation, type PlanBasis } from './plan-basis.ts';
import { effectText } from './plan-sentence.ts';

const FEW = 10;

/** What a reader should know before he believes the plan; one sentence each. */
export function planNotes({ input, count, counts = 'run', correlation }: PlanBasis): readonly string[] {
  const notes: string[] = [];
  if (count !== undefined && count < FEW) {
    // The standard error of a deviation from n values is 1 / sqrt(2 (n - 1)) of it; the runs go with its square.
    const off = Math.round(100 / Math.sqrt(2 * (count - 1)));
    notes.push(
      `The spread rests on ${count} ${counts}s and is known to about ± ${off} %; plan again when there are more.`,
    );
  }
  if (correlation > 0) {
    notes.push(
      `Neighbouring ${counts}s resemble each other (correlation ${correlation.toFixed(2)}): sides measured alone need ` +
        `${inflation(correlation).toFixed(1)} times as many runs. Measuring them in turns, or as duets, avoids that.`,
    );
  }
  if (!input.pairs.isMeasured) {
    notes.push(
      `Nobody has measured duets here: it is assumed that they are ${ASSUMED_GAIN} times as sharp as sides measured ` +
        'alone, the least that was published. Measure yours: nightmark duet "COMMAND" --export-json pairs.json, ' +
        'then add --duet pairs.json.',
    );
  }
  if (!input.time) notes.push('How long a run takes is not known: give it with --time, such as --time 2min.');
  return notes;
}

/** "3.1 % from run to run". */
export function spreadText(deviation: number, counts = 'run'): string {
  return `${effectText(deviation)} from ${counts} to ${counts}`;
}
