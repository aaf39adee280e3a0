import type { SeriesView } from '../../app/read-values.ts';
import { type Html, html } from '../../core/text/html.ts';
import { exactNumber, formatChange, formatNumber } from '../../core/text/numbers.ts';

/** A number as people read it, with the exact value in its title and for copying programs. */
export function quantity(value: number, unit: string): Html {
  return html`<data value="${value}" title="${exactNumber(value, unit)}">${formatNumber(value, unit)}</data>`;
}

/**
 * How the newest value stands to the earlier ones: "+0.3 % ~" inside of their range, an arrow and a word outside.
 * Colour only repeats the word.
 */
export function changeOf({ change, better, unit }: SeriesView): Html {
  if (!change) return html`<span class="quiet" title="Nothing to compare with yet">~</span>`;
  const percent = change.ratio === undefined ? '' : formatChange(change.ratio);
  const median = formatNumber(change.median, unit);
  const basis = `Against ${median}, the median of the ${change.earlier} values before it.`;
  if (change.position === 'unknown' || change.position === 'within') {
    const why = change.position === 'within' ? 'Within their range.' : 'Too few to say more.';
    return html`<span class="quiet" title="${basis} ${why}">${percent} ~</span>`;
  }
  const isUp = change.position === 'above';
  const meaning = better === 'unknown' ? '' : (better === 'higher') === isUp ? 'better' : 'worse';
  const note = `${basis} Outside of their range; a description, not a verdict.`;
  return html`<span class="change ${meaning}" title="${note}">${isUp ? '▲' : '▼'} ${percent} ${meaning || (isUp ? 'higher' : 'lower')}</span>`;
}

/** The path of a value: "cpu / A". */
export function pathText(path: readonly string[]): string {
  return path.join(' / ') || '(value)';
}
