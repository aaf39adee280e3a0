import type { Judgement } from '../../../stats/verdict.ts';
import { verdictText } from '../../core/analysis/group-text.ts';

const SIGNS = { slower: '▲', faster: '▼', same: '=', undecided: '?' } as const;
const LOOKS = { slower: 'worse', faster: 'better', same: '', undecided: '' } as const;

/** A sign and words; the colour only repeats them. */
export function VerdictWord({ judgement }: { readonly judgement: Judgement }) {
  const { verdict } = judgement;
  return (
    <span class={`change ${LOOKS[verdict]}`}>
      <span aria-hidden="true">{SIGNS[verdict]}</span> {verdictText(judgement)}
    </span>
  );
}
