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

/** "3 slower, 1 faster, 212 the same, 4 undecided (1 likely slower, 2 held back), 2 only in base". */
export function answerText(counts: RowCounts): string {
  const parts = WORDS.filter(([verdict]) => counts[verdict] > 0).map(([verdict, words]) => {
    const text = `${formatNumber(counts[verdict])} ${words}`;
    return verdict === 'undecided' ? `${text}${undecidedText(counts)}` : text;
  });
  return parts.length === 0 ? 'Nothing to compare' : parts.join(', ');
}

function undecidedText({ likely, heldBack }: RowCounts): string {
  const parts = [
    ...(['slower', 'faster', 'changed'] as const).map((word) => [likely[word], `likely ${word}`] as const),
    [heldBack, 'held back'] as const,
  ].filter(([count]) => count > 0);
  return parts.length === 0
    ? ''
    : ` (${parts.map(([count, text]) => `${formatNumber(count)} ${text}`).join(', ')})`;
}

/** The verdict on one series: "slower", "likely slower (inferred)". */
export function rowVerdictText(row: Pick<ComparedRow, 'verdict' | 'likely' | 'betterFrom'>): string {
  const word = row.likely === undefined ? row.verdict : `likely ${row.likely}`;
  return isInferred(row) ? `${word} (inferred)` : word;
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
  const { basis, base, head, verdict, likely, p, adjustedP, isHeldBack, correlation = 0 } = row;
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
  const sure = likely
    ? ' It is not certain that they differ by more than the smallest effect of interest.'
    : '';
  const wider =
    basis.kind === 'runs' && correlation > 0
      ? ` Neighbouring runs resemble each other (correlation ${correlation.toFixed(2)}), so the interval is wider.`
      : '';
  const inferred = isInferred(row) ? ` That ${row.better} is better is inferred from its name.` : '';
  return `${rests}${certainty}${corrected}.${held}${sure}${wider}${inferred}`;
}

/** Whether a verdict for better or worse rests on an inferred direction. */
function isInferred({
  verdict,
  likely,
  betterFrom,
}: Pick<ComparedRow, 'verdict' | 'likely' | 'betterFrom'>): boolean {
  const word = likely ?? verdict;
  return betterFrom === 'inferred' && (word === 'slower' || word === 'faster');
}
