import { foldCase } from './char-tests.ts';
import { parseClass, parseEscape, parseShortClass } from './parse-class.ts';
import { type CharTest, type Place, type RegexNode, RegexProblem } from './regex-node.ts';
import { RegexSource } from './regex-source.ts';

interface Flags {
  readonly ignoresCase: boolean;
  readonly isMultiline: boolean;
  readonly isDotAll: boolean;
}

const NO_FLAGS: Flags = { ignoresCase: false, isMultiline: false, isDotAll: false };
/** As in Go. */
const MOST_REPEATS = 1000;
/** Groups within groups. */
const MOST_DEPTH = 200;
const EMPTY: RegexNode = { kind: 'all', parts: [] };

/** Reads the syntax of RE2 (https://github.com/google/re2/wiki/Syntax), which Go and with it InfluxDB has. */
export function parseRegex(text: string): RegexNode {
  const source = new RegexSource(text);
  const node = parseChoice(source, NO_FLAGS, 0);
  if (!source.isAtEnd) throw new RegexProblem('unexpected )', text);
  return node;
}

function parseChoice(source: RegexSource, outer: Flags, depth: number): RegexNode {
  if (depth > MOST_DEPTH) throw new RegexProblem('expression nests too deeply', source.text);
  let flags = outer;
  const choices: RegexNode[] = [];
  let parts: RegexNode[] = [];
  while (!source.isAtEnd && !source.startsWith(')')) {
    if (source.take('|')) {
      choices.push({ kind: 'all', parts });
      parts = [];
      continue;
    }
    const changed = parseFlags(source, flags);
    if (changed) flags = changed;
    else parts.push(...repeated(source, () => parseAtom(source, flags, depth)));
  }
  choices.push({ kind: 'all', parts });
  return choices.length === 1 ? (choices[0] as RegexNode) : { kind: 'any', parts: choices };
}

/** (?i) and its like, which hold to the end of their group; taken only when no group follows. */
function parseFlags(source: RegexSource, flags: Flags): Flags | undefined {
  const found = source.match(/\(\?([imsU]*)(?:-([imsU]+))?\)/y);
  return found && found[0] !== '(?)' ? withFlags(flags, found) : undefined;
}

function withFlags(flags: Flags, [, on = '', off = '']: RegExpExecArray): Flags {
  const is = (letter: string, before: boolean) =>
    off.includes(letter) ? false : on.includes(letter) || before;
  // U asks which of several matches is found; here it only counts whether there is one.
  return {
    ignoresCase: is('i', flags.ignoresCase),
    isMultiline: is('m', flags.isMultiline),
    isDotAll: is('s', flags.isDotAll),
  };
}

/** An atom with what follows it; the characters of \Q...\E are several, of which the last is repeated. */
function repeated(source: RegexSource, parseOne: () => readonly RegexNode[]): readonly RegexNode[] {
  const bare = source.match(/[*+?]/y);
  if (bare) throw new RegexProblem('missing argument to repetition operator', bare[0]);
  const nodes = parseOne();
  const start = source.at;
  const bounds = parseRepeat(source);
  if (!bounds) return nodes;
  if (parseRepeat(source)) throw new RegexProblem('invalid nested repetition operator', source.since(start));
  const [least, most] = bounds;
  const of = nodes.at(-1) ?? EMPTY;
  return [...nodes.slice(0, -1), { kind: 'repeat', of, least, most }];
}

/** *, +, ?, {2}, {2,}, {2,5}, and a ? behind it that asks for the shortest. Other braces are characters. */
function parseRepeat(source: RegexSource): readonly [least: number, most: number] | undefined {
  const found = source.match(/(?:([*+?])|(\{(\d+)(,?)(\d*)\}))\??/y);
  if (!found) return undefined;
  const [, sign, braces = '', low, comma, high] = found;
  if (sign !== undefined) return [sign === '+' ? 1 : 0, sign === '?' ? 1 : Number.POSITIVE_INFINITY];
  const least = Number(low);
  const most = comma === '' ? least : high === '' ? Number.POSITIVE_INFINITY : Number(high);
  if (least > MOST_REPEATS || (most > MOST_REPEATS && high !== '') || most < least)
    throw new RegexProblem('invalid repeat count', braces);
  return [least, most];
}

function parseAtom(source: RegexSource, flags: Flags, depth: number): readonly RegexNode[] {
  const start = source.at;
  const quoted = source.match(/\\Q([\s\S]*?)(?:\\E|$)/y);
  if (quoted) return Array.from(quoted[1] ?? '', (char) => oneChar(char.codePointAt(0) as number, flags));
  const place = parsePlace(source, flags);
  if (place !== undefined) return [{ kind: 'place', place }];
  if (source.take('(')) return [parseGroup(source, flags, depth)];
  if (source.take('[')) return [{ kind: 'char', test: parseClass(source, flags.ignoresCase) }];
  if (source.take('.')) return [{ kind: 'char', test: flags.isDotAll ? () => true : (code) => code !== 10 }];
  const short = parseShortClass(source);
  if (short) return [{ kind: 'char', test: flags.ignoresCase ? foldCase(short) : short }];
  return [oneChar(source.take('\\') ? parseEscape(source, start) : source.next(), flags)];
}

function oneChar(wanted: number, { ignoresCase }: Flags): RegexNode {
  const test: CharTest = (code) => code === wanted;
  return { kind: 'char', test: ignoresCase ? foldCase(test) : test };
}

function parsePlace(source: RegexSource, { isMultiline }: Flags): Place | undefined {
  if (source.take('^')) return isMultiline ? 'line-begin' : 'text-begin';
  if (source.take('$')) return isMultiline ? 'line-end' : 'text-end';
  const found = source.match(/\\([AzbB])/y)?.[1] as keyof typeof PLACES | undefined;
  return found && PLACES[found];
}

const PLACES = { A: 'text-begin', z: 'text-end', b: 'word-edge', B: 'no-word-edge' } as const;

/** What follows an opening parenthesis. */
function parseGroup(source: RegexSource, flags: Flags, depth: number): RegexNode {
  const named = source.match(/\?P<\w+>/y);
  const flagged = named ? undefined : source.match(/\?([imsU]*)(?:-([imsU]+))?:/y);
  if (!named && !flagged && source.startsWith('?')) {
    const unknown = source.match(/\?(?:P<[^>]*>?|<?[^A-Za-z)]|[imsU]*.?)/y)?.[0] ?? '?';
    throw new RegexProblem('invalid or unsupported Perl syntax', `(${unknown}`);
  }
  const inner = parseChoice(source, flagged ? withFlags(flags, flagged) : flags, depth + 1);
  if (!source.take(')')) throw new RegexProblem('missing closing )', source.text);
  return inner;
}
