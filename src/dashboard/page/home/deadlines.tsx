import { formatDuration } from '../../../platform/core/text/numbers.ts';
import { Minute, useNow } from '../../../platform/page/parts/time.tsx';
import type { HomePlans } from '../../app/home/home-view.ts';

const WEEK_MS = 7 * 86_400_000;

/** What has to be done by when, the next first, with the time that is left. Those that passed are gone after a week. */
export function Deadlines({ plans }: { readonly plans: HomePlans }) {
  const now = useNow(1000);
  const shown = plans.deadlines.filter(({ at }) => at > now - WEEK_MS).toSorted((a, b) => a.at - b.at);
  if (shown.length === 0) return null;
  return (
    <ul class="deadlines" aria-label="Deadlines">
      {shown.map(({ name, at }) => (
        <li key={name} class={at - now < WEEK_MS ? 'near' : ''}>
          <strong>{name}</strong> {at > now ? `in ${leftText(at - now)}` : 'passed'}{' '}
          <span class="quiet">
            (<Minute at={at} />)
          </span>
        </li>
      ))}
    </ul>
  );
}

/** To the second on the last day. */
function leftText(ms: number): string {
  if (ms >= 86_400_000) return formatDuration(Math.floor(ms / 3_600_000) * 3_600_000);
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}`;
}
