import { formatChange, formatNumber, plainly } from '../../../platform/core/text/numbers.ts';
import { certaintyText, effectText } from '../changes/change-text.ts';
import type { ComparedRow, RowCounts, RowVerdict } from './compared-row.ts';

/** Text of each verdict in a summary, the most important first. */
const WORDS: readonly (readonly [RowVerdict, string])[] = [
  ['failed', 'failed in head'],
  ['slower', 'slower'],
  ['faster', 'faster'],
  ['changed', 'changed'],
  ['same', 'the same'],
  ['undecided', 'undecided'],
  ['gone', 'only in base'],
  ['new', 'only in head'],
];

/** "3 slower, 1 faster, 212 the same, 4 undecided, 2 only in base". */
export function answerText(counts: RowCounts): string {
  const parts = WORDS.filter(([verdict]) => counts[verdict] > 0).map(
    ([verdict, words]) => `${formatNumber(counts[verdict])} ${words}`,
  );
  return parts.length === 0 ? 'Nothing to compare' : parts.join(', ');
}

/** "+4.8 % (+4.1 to +5.5)", "+4.8 % (no interval)", or nothing where one side has no value. */
export function rowEffectText({
  shift,
  change,
  unit,
}: Pick<ComparedRow, 'shift' | 'change' | 'unit'>): string {
  if (shift) return effectText(shift, unit);
  return change === undefined ? '' : plainly(`${formatChange(change)} (no interval)`);
}

/** What the interval and the verdict rest on, as a sentence. */
export function basisText(row: ComparedRow): string {
  const { basis, base, head, verdict, p, adjustedP, isHeldBack } = row;
  if (basis.kind === 'none')
    return base && head ? 'The noise is unknown: fewer than 3 earlier runs, and fewer than 5 on a side.' : '';
  const rests =
    basis.kind === 'runs'
      ? `Rests on the spread between the ${base?.runs ?? 0} and ${head?.runs ?? 0} runs`
      : `Rests on the noise of ${basis.runs} earlier runs of this series`;
  const certainty =
    p === undefined || verdict === 'same' ? '' : `. That they differ is certain by ${certaintyText(p)}`;
  const corrected =
    certainty === '' || adjustedP === undefined
      ? ''
      : `, and among so many series by ${certaintyText(adjustedP)}`;
  const held = isHeldBack ? ' Held back: some look like this by chance.' : '';
  const inferred = isInferred(row) ? ` That ${row.better} is better is inferred from its name.` : '';
  return `${rests}${certainty}${corrected}.${held}${inferred}`;
}

/** Whether a verdict for better or worse rests on an inferred direction. */
export function isInferred({ verdict, betterFrom }: Pick<ComparedRow, 'verdict' | 'betterFrom'>): boolean {
  return betterFrom === 'inferred' && (verdict === 'slower' || verdict === 'faster');
}
