import { verdictWords } from '../../../core/duet/report/words.ts';
import type { Judgement } from '../../../core/model/verdict.ts';

const SIGNS = { slower: '▲', faster: '▼', same: '=', undecided: '?' } as const;
const LOOKS = { slower: 'worse', faster: 'better', same: '', undecided: '' } as const;

/** A sign and words; the colour only repeats them. */
export function VerdictWord({ judgement }: { readonly judgement: Judgement }) {
  const { verdict } = judgement;
  return (
    <span class={`change ${LOOKS[verdict]}`}>
      <span aria-hidden="true">{SIGNS[verdict]}</span> {verdictWords(judgement)}
    </span>
  );
}
