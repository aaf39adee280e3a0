import { NightmarkError } from '../../errors.ts';
import { parseExpression } from './parse-expression.ts';
import { readPattern } from './pattern.ts';
import type { JobSearch } from './search.ts';

/**
 * Reads what somebody searches for: `where:` or `js:` and an expression, or a pattern that is looked for in names,
 * experiments and descriptions. What is no pattern is a text. Undefined: nothing is searched for.
 */
export function parseSearch(text: string): JobSearch | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const expression = /^(?:js|where):(.*)$/su.exec(trimmed)?.[1];
  if (expression !== undefined) return expression.trim() === '' ? undefined : parseWhere(expression);
  return { type: 'text', text: trimmed, isPattern: isPattern(trimmed) };
}

/** An expression without a word before it, as an option gives it. */
export function parseWhere(text: string): JobSearch {
  return { type: 'expression', expression: parseExpression(text) };
}

/** Refused when it asks for what is not matched in linear time. */
function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
  } catch {
    return false;
  }
  const pattern = readPattern(text);
  if (typeof pattern !== 'string') return true;
  throw new NightmarkError(
    'SEARCH_PATTERN',
    `${JSON.stringify(text)} is not searched for: it takes ${pattern}.`,
    {
      hint: "Write it simpler, or as a condition: where:name.includes('a') and name.includes('b')",
    },
  );
}
