/**
 * Reads a regular expression of a user; a text says what is wrong with it. "(?i)" at its start ignores case.
 *
 * JavaScript has no time limit for a match, so what can take for ever is refused: a repetition of something that holds
 * a repetition or a choice, as in (a+)+ or (a|b)*, and back references. Lines are cut at LONGEST_LINE characters, which
 * keeps what is left (at worst a power of the length) short.
 */
export function parsePattern(text: string): RegExp | string {
  if (text.length > LONGEST_PATTERN) return `a regular expression of at most ${LONGEST_PATTERN} characters`;
  const ignoresCase = text.startsWith('(?i)');
  const body = ignoresCase ? text.slice(4) : text;
  try {
    const pattern = new RegExp(body, ignoresCase ? 'giu' : 'gu');
    return whyDangerous(body) ?? pattern;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return `a regular expression (${error.message.replace(/^Invalid regular expression: /, '')})`;
  }
}

export const LONGEST_LINE = 2000;
const LONGEST_PATTERN = 1000;
/** Unbounded repetitions beside each other multiply: .*.*.*x takes the fourth power of the length. */
const MOST_REPETITIONS = 8;
const MOST_WIDE = 2;
const PIECE =
  /\\[1-9k]|\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:<?[=!]|:|<\w+>))?|\)(?:[*+]|\{\d+,\d*\})?|[*+]|\{\d+,\}|\|/gsu;

interface Group {
  repeats: boolean;
  chooses: boolean;
}

function whyDangerous(body: string): string | undefined {
  const open: Group[] = [{ repeats: false, chooses: false }];
  let repetitions = 0;
  for (const [piece] of body.matchAll(PIECE)) {
    const inner = open.at(-1);
    if (/^\\[1-9k]/.test(piece)) return 'a regular expression without back references';
    if (piece === '|' && inner) inner.chooses = true;
    else if (piece.startsWith('(')) open.push({ repeats: false, chooses: false });
    else if (piece.startsWith(')')) {
      const closed = open.pop() ?? { repeats: false, chooses: false };
      const isRepeated = piece.length > 1;
      if (isRepeated && (closed.repeats || closed.chooses)) {
        return 'a regular expression that repeats nothing that repeats or chooses, as (a+)+ and (a|b)* do';
      }
      const outer = open.at(-1);
      if (outer) outer.repeats ||= isRepeated || closed.repeats;
    } else if (/^[*+{]/.test(piece) && inner) {
      inner.repeats = true;
      repetitions++;
    }
  }
  const wide = [...body.matchAll(/(?<!\\)\.[*+]/g)].length;
  return repetitions > MOST_REPETITIONS || wide > MOST_WIDE ? LIMIT : undefined;
}

const LIMIT = `a regular expression with at most ${MOST_REPETITIONS} of * and +, and ${MOST_WIDE} of .* and .+`;
