import type { SeriesView } from '../../app/read-values.ts';
import { certaintyText, effectText } from '../../core/changes/change-text.ts';
import { driftText } from '../../core/changes/drift-text.ts';
import type { FollowedChange } from '../../core/model/change-ledger.ts';
import { type Html, html } from '../../core/text/html.ts';
import { exactNumber, formatChange, formatNumber } from '../../core/text/numbers.ts';

/** A number as people read it, with the exact value in its title and for copying programs. */
export function quantity(value: number, unit: string): Html {
  return html`<data value="${value}" title="${exactNumber(value, unit)}">${formatNumber(value, unit)}</data>`;
}

/**
 * How the newest value stands to the level that was accepted: "+0.3 % ~" where nothing can be told, an arrow and a word
 * otherwise. Colour only repeats the word.
 */
export function changeOf({ newest, unit }: SeriesView): Html {
  const { shift, reference, verdict, history, held, notes } = newest ?? { notes: [] };
  if (!shift || reference === undefined)
    return html`<span class="quiet" title="${notes.join(' ') || 'Nothing to compare with yet'}">~</span>`;
  const size = shift.relative ? formatChange(shift.relative.change) : formatNumber(shift.difference, unit);
  const level = formatNumber(reference, unit);
  const basis = `${effectText(shift, unit)} against ${level}, the level of ${history} earlier values${held === undefined ? '' : `, as what came after it is not accepted (${held})`}.`;
  if (verdict === 'same' || verdict === 'undecided') {
    const why = verdict === 'same' ? 'The same.' : 'No difference can be told.';
    return html`<span class="quiet" title="${basis} ${why}">${size} ~</span>`;
  }
  const isUp = shift.difference > 0;
  const meaning = verdict === 'slower' ? 'worse' : verdict === 'faster' ? 'better' : '';
  const note = 'One value alone: provisional.';
  return html`<span class="change ${meaning}" title="${basis} ${note}">${isUp ? '▲' : '▼'} ${size} ${meaning || (isUp ? 'higher' : 'lower')}</span>`;
}

/** What is told of a value that goes on rising or falling, beside its change: "drifts by +9.8 % ...". */
export function driftOf({ drift, unit }: SeriesView): Html | undefined {
  return (
    drift &&
    html`<span class="quiet" title="A drift, no change: it happened at no one place. Certainty ${certaintyText(drift.p)}">${driftText(drift, unit)}</span>`
  );
}

/** A change that is followed: its size, and whether it is good. */
export function shiftOf({ shift, unit, direction, p }: FollowedChange): Html {
  const isUp = shift.difference > 0;
  const size = shift.relative ? formatChange(shift.relative.change) : formatNumber(shift.difference, unit);
  const word = direction === 'unknown' ? (isUp ? 'higher' : 'lower') : direction;
  return html`<span class="change ${direction}" title="${effectText(shift, unit)}, certainty ${certaintyText(p)}">${isUp ? '▲' : '▼'} ${size} ${word}</span>`;
}

/** The path of a value: "cpu / A". */
export function pathText(path: readonly string[]): string {
  return path.join(' / ') || '(value)';
}
