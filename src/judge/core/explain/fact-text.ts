import { formatNumber, plainly } from '../../../platform/core/text/numbers.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';
import type { ChangedFact, FactValue } from './explanation.ts';

/** Longer values are cut: a lock file's hash is told from another by its beginning. */
const MAX_LENGTH = 80;

/** Text by others as one line of bounded length, control characters visible. */
export function shortText(text: string, maxLength = MAX_LENGTH): string {
  const characters = [...text.slice(0, 2 * maxLength)];
  const isLong = characters.length > maxLength || text.length > 2 * maxLength;
  return visible(isLong ? `${characters.slice(0, maxLength - 1).join('')}…` : text);
}

/** Both values for people: what was measured in three digits, what was set as it is, and never the same text. */
export function sidesText(fact: ChangedFact): { readonly before: string; readonly after: string } {
  const { before, after } = fact;
  const [from, to] = [valueText(before, fact), valueText(after, fact)];
  if (from !== to) return { before: from, after: to };
  if (typeof before === 'string' && typeof after === 'string')
    return { before: differingPart(before, after), after: differingPart(after, before) };
  return { before: exactText(before), after: exactText(after) };
}

/** "6.1.0 -> 6.5.0". */
export function changeText(fact: ChangedFact): string {
  const { before, after } = sidesText(fact);
  return `${before} -> ${after}`;
}

export function nameText({ group, name }: ChangedFact): string {
  const text = shortText(name);
  return group === 'source' ? `commit of ${text}` : group === 'warning' ? `warning "${text}"` : text;
}

/** "a", "a and b", "a, b and 3 more". */
export function listText(words: readonly string[], most = 3): string {
  const shown = words.length > most ? [...words.slice(0, most), `${words.length - most} more`] : words;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

function valueText(value: FactValue, { group, unit }: ChangedFact): string {
  const isMeasured = group === 'telemetry' || unit !== undefined;
  if (typeof value === 'number' && isMeasured) return plainly(formatNumber(value, shortText(unit ?? '', 20)));
  return value === '' ? '(empty)' : shortText(String(value));
}

/** A text and a number that look alike are told apart by quotes. */
function exactText(value: FactValue): string {
  return shortText(JSON.stringify(value));
}

/** Texts that begin alike: a little of that, and what follows. */
function differingPart(text: string, other: string): string {
  let same = 0;
  while (same < text.length && text[same] === other[same]) same++;
  return shortText(`…${text.slice(Math.max(0, same - 10))}`);
}
