import { linearPattern } from './linear-pattern.ts';

const LONGEST_PATTERN = 1_000;
const LONGEST_TEXT = 2_000;

/**
 * Reads a pattern; a text says what is wrong with it. JavaScript's own engine is quick but may take for ever, so it gets only
 * what repeats a single character at one place at most; everything else is matched in linear time.
 */
export function readPattern(source: string): ((text: string) => boolean) | string {
  if (source.length > LONGEST_PATTERN) return `a regular expression of at most ${LONGEST_PATTERN} characters`;
  let native: RegExp;
  try {
    native = new RegExp(source, 'u');
  } catch {
    return 'a valid regular expression';
  }
  if (isSimple(source)) return (text) => native.test(text.slice(0, LONGEST_TEXT));
  const linear = linearPattern(source);
  if (typeof linear === 'string') return linear;
  return (text) => linear(text.slice(0, LONGEST_TEXT));
}

function isSimple(source: string): boolean {
  const bare = source.replace(/\\.|\[(?:\\.|[^\]\\])*\]/gsu, 'x');
  return (
    !/\)[*+?{]|\(\?/.test(bare) && (bare.match(/[*+{]|\?/g) ?? []).length <= 1 && !/\\[1-9k]/.test(source)
  );
}
