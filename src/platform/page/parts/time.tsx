import { useEffect, useState } from 'preact/hooks';
import { formatDuration } from '../../core/text/numbers.ts';

/** How long ago it was; hovering shows the exact time in the reader's zone and in UTC. */
export function Age({ at }: { readonly at: number }) {
  // Recent times show seconds, which must not stand still.
  const now = useNow(Date.now() - at < 180_000 ? 5_000 : 30_000);
  const text =
    now < at - 1000 ? `in ${formatDuration(roughly(at - now))}` : `${formatDuration(roughly(now - at))} ago`;
  return <Time at={at} text={text} />;
}

/** The minute it was, in the reader's zone. */
export function Minute({ at }: { readonly at: number }) {
  return <Time at={at} text={localText(at).slice(0, 16)} />;
}

/** The day it was, in the reader's zone. */
export function Day({ at }: { readonly at: number }) {
  return <Time at={at} text={localText(at).slice(0, 10)} />;
}

/** "2026-01-05 03:07:00", in the reader's zone. */
export function localText(at: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return 'an unknown time';
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** Exact and without a doubt about the zone: "2026-01-05 03:07:00 UTC". */
export function utcText(at: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return 'an unknown time';
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

function Time({ at, text }: { readonly at: number; readonly text: string }) {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <span>{text}</span>;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <time dateTime={date.toISOString()} title={`${localText(at)} ${zone}\n${utcText(at)}`}>
      {text}
    </time>
  );
}

/** An age needs no seconds. */
function roughly(ms: number): number {
  for (const unit of [86_400_000, 3_600_000, 60_000]) if (ms >= 3 * unit) return Math.floor(ms / unit) * unit;
  return Math.max(1000, Math.floor(ms / 1000) * 1000);
}

/** The time, drawn anew every so often. */
export function useNow(everyMs = 30_000): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
