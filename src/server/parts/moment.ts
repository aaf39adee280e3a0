import { type Html, html } from '../../core/text/html.ts';
import { formatDuration } from '../../core/text/numbers.ts';

/** Exact and without a doubt about the zone: "2026-01-05 03:07:00 UTC". */
export function utc(at: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return 'an unknown time';
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** How long ago it was; the exact time is in its title. */
export function age(at: number, now: number): Html {
  const text = now < at ? 'in the future' : `${formatDuration(roughly(now - at))} ago`;
  return moment(at, text);
}

/** The minute it was, in UTC; the exact time is in its title. */
export function minute(at: number): Html {
  return moment(at, utc(at).slice(0, 16));
}

function moment(at: number, text: string): Html {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return html`<span>${text}</span>`;
  return html`<time datetime="${date.toISOString()}" title="${utc(at)}">${text}</time>`;
}

/** Nobody needs the seconds of an age. */
function roughly(ms: number): number {
  for (const unit of [86_400_000, 3_600_000, 60_000]) if (ms >= 3 * unit) return Math.floor(ms / unit) * unit;
  return Math.max(1000, Math.floor(ms / 1000) * 1000);
}
