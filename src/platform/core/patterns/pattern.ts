import { NightmarkError } from '../errors.ts';
import { re2js } from './re2js.ts';

/** A regular expression of a user. Matching takes time in proportion to the text, whatever the expression is. */
export interface Pattern {
  /** As the user wrote it. */
  readonly source: string;
  test(text: string): boolean;
  /** All matches, from left to right. */
  matchAll(text: string): Iterable<RegExpMatchArray>;
}

/**
 * Which language it is written in: Go's, which InfluxQL has, or JavaScript's as far as it can be matched in linear time, which
 * is everything but lookaheads and back references. (?i), (?P<name>...) and the rest of Go's syntax are understood in both.
 */
export type PatternSyntax = 'go' | 'javascript';

const LONGEST = { go: 10_000, javascript: 1_000 };

/** Throws PATTERN_SYNTAX or PATTERN_UNSUPPORTED, with the message of Go. */
export function compilePattern(source: string, syntax: PatternSyntax = 'javascript'): Pattern {
  if (source.length > LONGEST[syntax])
    throw new NightmarkError('PATTERN_UNSUPPORTED', `expression too large: \`${source.slice(0, 100)}...\``, {
      hint: `A regular expression has at most ${LONGEST[syntax]} characters.`,
    });
  const linear = compile(source, syntax);
  const quick = syntax === 'javascript' ? quickPattern(source) : undefined;
  return {
    source,
    test: (text) => linear.test(text),
    matchAll: (text) => {
      if (quick?.isFor(text)) return matchesOf(quick.native, text);
      // A test without groups is far quicker than a search with them.
      return linear.test(text) ? linear.matchAll(text) : [];
    },
  };
}

function compile(source: string, syntax: PatternSyntax) {
  const { RE2JS, RE2JSSyntaxException } = re2js();
  const translated = syntax === 'go' ? source : inGo(source);
  try {
    return RE2JS.compile(translated, syntax === 'go' ? 0 : RE2JS.LOOKBEHINDS);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    const where = error.getPattern() ?? '';
    const part = where === translated ? source : where;
    const message = `${error.getDescription()}: \`${part}\``;
    const [, hint] = UNSUPPORTED.find(([pattern]) => pattern.test(message)) ?? [];
    throw hint === undefined
      ? new NightmarkError('PATTERN_SYNTAX', message)
      : new NightmarkError('PATTERN_UNSUPPORTED', message, { hint });
  }
}

/** What Go says of syntax that it does not have, and what to do without it. */
const UNSUPPORTED: readonly (readonly [message: RegExp, hint: string])[] = [
  [
    /^invalid or unsupported Perl syntax: `\(\?[=!]/,
    'Lookaheads, (?=...) and (?!...), are not supported. Match what follows as well, and put a group around the value, as in (\\d+) ms.',
  ],
  [
    /^invalid named capture: `\(\?<[=!]/,
    'Lookbehinds, (?<=...) and (?<!...), are not supported here. Match what comes before as well.',
  ],
  [/^invalid capture in lookbehind/, 'Inside of a lookbehind write (?:...) instead of (...).'],
  [
    /^invalid escape sequence: `\\[1-9k]|^invalid or unsupported Perl syntax: `\(\?P`/,
    'Back references, such as \\1, \\k<name> and (?P=name), are not supported. Write out what is repeated.',
  ],
];

const SPACE = '\\s\\v\\p{Z}\\x{feff}';
/** What Go reads otherwise than JavaScript: there \s is a blank of ASCII, and a dot takes every character but \n. */
const OTHERWISE: Readonly<Record<string, string>> = {
  '.': '[^\\n\\r\\x{2028}\\x{2029}]',
  '\\s': `[${SPACE}]`,
  '\\S': `[^${SPACE}]`,
};
const QUOTED = /\\Q.*?(?:\\E|$)/su;
const ESCAPE = /\\u\{([\da-fA-F]+)\}|\\u([\da-fA-F]{4})|\\./gsu;
const CLASS = /\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*(?:\]|$)/su;
const PIECE = new RegExp(`${QUOTED.source}|${CLASS.source}|${ESCAPE.source}|\\.`, 'gsu');

/** An expression of JavaScript in Go's syntax. */
function inGo(source: string): string {
  const escaped = (piece: string, long?: string, short?: string) =>
    long || short ? `\\x{${long || short}}` : piece;
  const takesLineEnds = /\(\?\w*s/.test(source);
  return source.replace(PIECE, (piece, long?: string, short?: string) => {
    if (piece.startsWith('['))
      return piece.replace(ESCAPE, (each, ...codes) => (each === '\\s' ? SPACE : escaped(each, ...codes)));
    return piece === '.' && takesLineEnds ? piece : (OTHERWISE[piece] ?? escaped(piece, long, short));
  });
}

/** Of the engine of JavaScript, for one text. */
const MOST_STEPS = 4_000_000;

/**
 * The engine of JavaScript finds groups some ten times sooner, but tries every way to match. Where no group is repeated, a
 * repetition can end at as many places as the text has characters, and "?" and "|" leave two ways: so for a short text the
 * ways are few, and it may be used.
 */
function quickPattern(source: string): { readonly native: RegExp; isFor(text: string): boolean } | undefined {
  const [, flag, body = ''] = /^(\(\?i\))?(.*)$/su.exec(source) ?? [];
  const bare = body.replace(/\\.|\[(?:\\.|[^\]\\])*\]/gsu, 'x').replace(/\(\?(?::|<\w+>)/g, '(');
  if (/\)[*+{]|\(\?/.test(bare)) return undefined;
  const count = (signs: RegExp) => bare.match(signs)?.length ?? 0;
  const longest = (MOST_STEPS / 2 ** count(/[?|]/g)) ** (1 / (count(/[*+{]/g) + 1));
  try {
    const native = new RegExp(body, flag === undefined ? 'gu' : 'giu');
    return { native, isFor: (text) => text.length <= longest };
  } catch {
    return undefined; // it is written in Go's syntax
  }
}

/** All matches of an expression with the flag "g", without the copy of it that String.matchAll makes. */
export function matchesOf(pattern: RegExp, text: string): readonly RegExpExecArray[] {
  pattern.lastIndex = 0;
  let found = pattern.exec(text);
  if (found === null) return NONE;
  const all: RegExpExecArray[] = [];
  for (; found !== null; found = pattern.exec(text)) {
    all.push(found);
    // An empty match would be found for ever, and so would one in the middle of a character.
    if (found[0] === '') pattern.lastIndex += (text.codePointAt(pattern.lastIndex) ?? 0) > 0xffff ? 2 : 1;
  }
  return all;
}

const NONE: readonly RegExpExecArray[] = [];
