import type { Clock } from '../../platform/core/clock.ts';

/** `2026-11-16 07:38:01`, on the clock on the wall. */
export function momentText(at: number, clock: Pick<Clock, 'wall'>): string {
  if (!Number.isFinite(at) || Math.abs(at) > 8.64e15) return String(at);
  const { year, month, day, hour, minute, second } = clock.wall(at);
  return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`;
}

/** One word for a column: `12s`, `5m`, `3h`, `2d`. */
export function briefDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 100) return `${seconds}s`;
  if (seconds < 100 * 60) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 72 * 3600) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
