const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** A cell as Python wrote it; undefined when it is empty: a gap stays a gap. */
export function cellValue(cell: string): number | boolean | string | undefined {
  const text = cell.trim();
  if (text === '') return undefined;
  if (NUMBER.test(text)) return Number(text);
  const word = text.toLowerCase();
  if (word === 'true' || word === 'false') return word === 'true';
  if (word === 'nan') return Number.NaN;
  if (/^[+-]?inf(inity)?$/.test(word))
    return word.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return text;
}
