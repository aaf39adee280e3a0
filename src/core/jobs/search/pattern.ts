import { compilePattern } from '../../regex/pattern.ts';
import { RegexProblem } from '../../regex/regex-node.ts';

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

/** The same in time that grows with the text alone; a text says why it cannot be. */
export function linearPattern(source: string): ((text: string) => boolean) | string {
  try {
    const pattern = compilePattern(inRe2(source));
    return (text) => pattern.test(text);
  } catch (error) {
    if (!(error instanceof RegexProblem)) throw error;
    return `a regular expression that neither looks around nor refers back (${error.message})`;
  }
}

/** Names of groups and characters by number are written otherwise there. */
function inRe2(source: string): string {
  return source
    .replace(/\\(?:u\{([\da-fA-F]+)\}|u([\da-fA-F]{4})|.)/gsu, (whole, braced, plain) =>
      (braced ?? plain) === undefined ? whole : `\\x{${braced ?? plain}}`,
    )
    .replace(/\((?=\?<[^=!])\?/g, '(?P');
}

function isSimple(source: string): boolean {
  const bare = source.replace(/\\.|\[(?:\\.|[^\]\\])*\]/gsu, 'x');
  return (
    !/\)[*+?{]|\(\?/.test(bare) && (bare.match(/[*+{]|\?/g) ?? []).length <= 1 && !/\\[1-9k]/.test(source)
  );
}
