import { hasEnded, type ShownStatus } from '../../core/shown-job.ts';

/** CSS class, symbol, text. */
const STYLES: Readonly<Record<ShownStatus, readonly [string, string, string]>> = {
  CREATED: ['waiting', '·', 'waiting'],
  SCHEDULED: ['waiting', '·', 'scheduled'],
  RUNNING: ['running', '…', 'running'],
  UNRESPONSIVE: ['interrupted', '!', 'unresponsive'],
  FINISHED: ['finished', '✓', 'finished'],
  CANCELED: ['skipped', '»', 'cancelled'],
  FAILED: ['failed', '✕', 'failed'],
};

export function statusText(status: ShownStatus): string {
  return STYLES[status][2];
}

/** It waits or runs, or should. */
export function isOpenStatus(status: ShownStatus): boolean {
  return status === 'UNRESPONSIVE' || !hasEnded(status);
}

/** A symbol and a text; the colour only repeats them. */
export function JobStatus({ status, title }: { readonly status: ShownStatus; readonly title?: string }) {
  const [look, sign, word] = STYLES[status];
  return (
    <span class={`state ${look}`} title={title ?? ''}>
      <span aria-hidden="true">{sign}</span> {word}
    </span>
  );
}

/** From 0 to 1, as the job reports it; nothing where it reports none. */
export function Progress({ part }: { readonly part: number | undefined }) {
  if (part === undefined || !Number.isFinite(part)) return null;
  const percent = Math.round(Math.min(1, Math.max(0, part)) * 100);
  return (
    <span class="progress">
      <progress value={percent} max={100} aria-label={`${percent} % done`} /> {percent} %
    </span>
  );
}
