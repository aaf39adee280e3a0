import type { ComparedRow, RowVerdict } from '../../core/compare/compared-row.ts';

/** A sign, a word, and whether it is good; the colour only repeats the word. */
export const VERDICT_WORDS: Readonly<
  Record<RowVerdict, readonly [sign: string, word: string, look: string]>
> = {
  failed: ['✕', 'failed', 'worse'],
  slower: ['▲', 'slower', 'worse'],
  faster: ['▼', 'faster', 'better'],
  changed: ['◆', 'changed', ''],
  same: ['=', 'same', 'quiet'],
  undecided: ['~', 'undecided', 'quiet'],
  gone: ['−', 'only in base', ''],
  new: ['+', 'only in head', ''],
};

/** The arrow says which way the value went, the word whether that is good. */
export function VerdictMark({ row: { verdict, shift } }: { readonly row: ComparedRow }) {
  const [usual, word, look] = VERDICT_WORDS[verdict];
  const isMove = verdict === 'slower' || verdict === 'faster' || verdict === 'changed';
  const sign = isMove && shift ? (shift.difference > 0 ? '▲' : '▼') : usual;
  return (
    <span class={`change ${look}`}>
      <span aria-hidden="true">{sign}</span> {word}
    </span>
  );
}
