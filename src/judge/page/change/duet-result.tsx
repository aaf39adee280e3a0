import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { Minute } from '../../../platform/page/parts/time.tsx';

const WORDS = {
  confirmed: 'A duet confirmed it: the two commits differ when they are measured at the same moment.',
  withdrawn: 'A duet found the two commits the same when they are measured at the same moment.',
  unclear: 'A duet could not tell: too much noise, or another direction than the change had.',
} as const;

/** What a duet of the commits on either side said. */
export function DuetResult({ change: { duet } }: { readonly change: FollowedChange }) {
  if (!duet) return null;
  const { state, at, source, before, after, pairs, metric = 'time of the run command', effect } = duet;
  return (
    <section aria-labelledby="duet">
      <h2 id="duet">Duet of the two commits</h2>
      <p>{WORDS[state]}</p>
      <p>
        {source} <code>{before.slice(0, 12)}</code> and <code>{after.slice(0, 12)}</code>,{' '}
        {counted(pairs, 'pair')}
        {effect &&
          `: ${metric} × ${effect.ratio.toFixed(3)} (${effect.low.toFixed(3)} to ${effect.high.toFixed(3)})`}
        , on <Minute at={at} />.
      </p>
    </section>
  );
}
