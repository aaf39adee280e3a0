import { NightmarkError } from '../../../platform/core/errors.ts';
import { compilePattern } from '../../../platform/core/patterns/pattern.ts';
import { parseExpression } from './parse-expression.ts';
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

/** Refused when it asks for what is not matched in linear time; anything else that is no pattern is a text. */
function isPattern(text: string): boolean {
  try {
    compilePattern(text);
    return true;
  } catch (error) {
    if (!(error instanceof NightmarkError)) throw error;
    if (error.code !== 'PATTERN_UNSUPPORTED') return false;
    throw new NightmarkError(
      'SEARCH_PATTERN',
      `${JSON.stringify(text)} is not searched for: ${error.message}.`,
      {
        hint: `${error.hint} Or write a condition: where:name.includes('a') and name.includes('b')`,
      },
    );
  }
}
