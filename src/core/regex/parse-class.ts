import { foldCase, not, PERL, POSIX, unicodeTest } from './char-tests.ts';
import { type CharTest, RegexProblem } from './regex-node.ts';
import type { RegexSource } from './regex-source.ts';

/** What follows a backslash and stands for one character; `start` is where the backslash is. */
export function parseEscape(source: RegexSource, start: number): number {
  const number = source.match(/0[0-7]{0,2}|[1-7][0-7]{1,2}/y);
  if (number) return Number.parseInt(number[0], 8);
  const hex = source.match(/x(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]{1,8})\})/y);
  if (hex) {
    const code = Number.parseInt(hex[1] ?? hex[2] ?? '', 16);
    if (code <= 0x10ffff) return code;
    throw new RegexProblem('invalid escape sequence', source.since(start));
  }
  if (source.isAtEnd) throw new RegexProblem('trailing backslash at end of expression', '');
  const code = source.next();
  const char = String.fromCodePoint(code);
  const control = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 }[char];
  if (control !== undefined) return control;
  if (code < 0x80 && !/[A-Za-z0-9]/.test(char)) return code;
  throw new RegexProblem('invalid escape sequence', source.since(start));
}

/** \d, \W, \pL, \P{Greek} ...; undefined when no such thing follows, and then nothing is taken. */
export function parseShortClass(source: RegexSource): CharTest | undefined {
  const start = source.at;
  const perl = source.match(/\\([dswDSW])/y)?.[1];
  if (perl !== undefined) {
    const test = PERL[perl.toLowerCase()] as CharTest;
    return perl === perl.toLowerCase() ? test : not(test);
  }
  const unicode = source.match(/\\([pP])(?:\{(\^?)([^}]*)\}|(.))/uy);
  if (!unicode) return undefined;
  const [, letter, negation, long, short = ''] = unicode;
  const test = unicodeTest(long ?? short);
  if (test === undefined) throw new RegexProblem('invalid character class range', source.since(start));
  return (letter === 'P') !== (negation === '^') ? not(test) : test;
}

/** What follows an opening bracket. */
export function parseClass(source: RegexSource, ignoresCase: boolean): CharTest {
  const start = source.at - 1;
  const isNegated = source.take('^');
  const tests: CharTest[] = [];
  for (let isFirst = true; isFirst || !source.take(']'); isFirst = false) {
    if (source.isAtEnd) throw new RegexProblem('missing closing ]', source.text.slice(start));
    tests.push(parsePosix(source) ?? parseShortClass(source) ?? parseRange(source, start));
  }
  const any: CharTest = (code) => tests.some((test) => test(code));
  const folded = ignoresCase ? foldCase(any) : any;
  return isNegated ? not(folded) : folded;
}

function parsePosix(source: RegexSource): CharTest | undefined {
  const found = source.match(/\[:(\^?)([^\]:]*):\]/y);
  if (!found) return undefined;
  const [whole, negation, name = ''] = found;
  const test = Object.hasOwn(POSIX, name) ? POSIX[name] : undefined;
  if (test === undefined) throw new RegexProblem('invalid character class range', whole);
  return negation === '^' ? not(test) : test;
}

function parseRange(source: RegexSource, classStart: number): CharTest {
  const start = source.at;
  const low = parseMember(source);
  if (!/-[^\]]/uy.test(source.text.slice(source.at, source.at + 3))) return (code) => code === low;
  source.take('-');
  if (source.isAtEnd) throw new RegexProblem('missing closing ]', source.text.slice(classStart));
  const high = parseMember(source);
  if (high < low) throw new RegexProblem('invalid character class range', source.since(start));
  return (code) => code >= low && code <= high;
}

function parseMember(source: RegexSource): number {
  const start = source.at;
  return source.take('\\') ? parseEscape(source, start) : source.next();
}
