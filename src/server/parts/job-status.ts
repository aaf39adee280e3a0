import type { ShownStatus } from '../../core/jobs/shown-status.ts';
import { type Html, html } from '../../core/text/html.ts';

/** Class of the style sheet, sign, word. */
const WORDS: Readonly<Record<ShownStatus, readonly [string, string, string]>> = {
  CREATED: ['waiting', '·', 'waiting'],
  SCHEDULED: ['waiting', '·', 'scheduled'],
  RUNNING: ['running', '…', 'running'],
  UNRESPONSIVE: ['interrupted', '!', 'unresponsive'],
  FINISHED: ['finished', '✓', 'finished'],
  CANCELED: ['skipped', '»', 'cancelled'],
  FAILED: ['failed', '✕', 'failed'],
};

/** A sign and a word; the colour only repeats them. */
export function jobStatus(status: ShownStatus): Html {
  const [look, sign, word] = WORDS[status];
  return html`<span class="state ${look}"><span aria-hidden="true">${sign}</span> ${word}</span>`;
}

/** A bar from 0 to 1 with its number; nothing where nothing is told. */
export function progressBar(progress: number | undefined): Html | undefined {
  if (progress === undefined || !Number.isFinite(progress)) return undefined;
  const percent = Math.round(Math.min(1, Math.max(0, progress)) * 100);
  return html`<progress value="${percent}" max="100">${percent} %</progress> ${percent} %`;
}
