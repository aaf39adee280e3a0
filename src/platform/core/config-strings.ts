/** A string value in a JSON text: where it stands, and by which keys it is reached. */
export interface StringValue {
  /** Keys from the outside in; an item of a list has its number. */
  readonly keys: readonly string[];
  readonly value: string;
  /** Of the value with its quotes: text.slice(start, end). */
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the string values of a JSON text without insisting on correct JSON: a configuration with a comma too many,
 * or with comments, holds its secrets all the same.
 */
export function jsonStrings(text: string): readonly StringValue[] {
  return stringsIn(text, /"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"|[{}[\],]/g);
}

/** The same for what YAML writes in braces and brackets, where strings need no quotes. */
export function flowStrings(text: string): readonly StringValue[] {
  const plain = String.raw`(?:\$\{[^}]*\}|:(?=\S)|[^\s{}[\],:"'#])(?:\$\{[^}]*\}|:(?=\S)|[^{}[\],:\n])*`;
  return stringsIn(text, new RegExp(`"(?:[^"\\\\]|\\\\.)*"|'[^']*'|[{}[\\],]|${plain}`, 'g'));
}

function stringsIn(text: string, tokens: RegExp): readonly StringValue[] {
  const found: StringValue[] = [];
  const open: FlowLevel[] = [{ key: undefined, index: 0, isList: false }];
  for (let match = tokens.exec(text); match; match = tokens.exec(text)) {
    const [token] = match;
    const level = open.at(-1) ?? { key: undefined, index: 0, isList: false };
    if (token === '{' || token === '[') open.push({ key: undefined, index: 0, isList: token === '[' });
    else if (token === '}' || token === ']') {
      if (open.length > 1) open.pop();
    } else if (token === ',') {
      level.key = undefined;
      level.index++;
    } else if (!level.isList && isFollowedByColon(text, tokens.lastIndex)) {
      level.key = contentOf(token);
    } else {
      found.push({
        keys: open.flatMap(nameOf),
        value: contentOf(token),
        start: match.index,
        end: tokens.lastIndex,
      });
    }
  }
  return found;
}

interface FlowLevel {
  key: string | undefined;
  index: number;
  readonly isList: boolean;
}

function nameOf({ key, index, isList }: FlowLevel): readonly string[] {
  if (isList) return [String(index)];
  return key === undefined ? [] : [key];
}

function isFollowedByColon(text: string, at: number): boolean {
  const colon = /\s*:/y;
  colon.lastIndex = at;
  return colon.test(text);
}

function contentOf(token: string): string {
  if (token.startsWith("'")) return token.slice(1, -1);
  if (!token.startsWith('"')) return token.trim();
  try {
    return JSON.parse(token) as string;
  } catch {
    return token.slice(1, -1); // an invalid escape, or a tab: taken as it stands
  }
}

/** A scalar in a YAML text, with the column of its key: a block may only move to a key of the same depth. */
interface YamlString extends StringValue {
  readonly column: number;
}

/**
 * Finds the scalars of a YAML text line by line: `key: value`, items of lists, blocks (| and >), and what is in
 * braces. No parser: the text around a value must stay as it is, and a broken file is searched as well.
 */
export function yamlStrings(text: string): readonly YamlString[] {
  const found: YamlString[] = [];
  const levels: Level[] = [];
  const lines = linesOf(text);
  for (let number = 0; number < lines.length; number++) {
    const line = readLine(lines[number] as Line);
    if (!line) continue;
    enter(levels, line);
    const keys = levels.map((level) => level.key);
    const start = line.start + line.column + line.valueAt;
    const value = text.slice(start, lines[number]?.end);
    if (value === '' || /^#|^[&!]\S*$/.test(value)) continue; // its content is on the lines below
    const last = /^[{[]/.test(value)
      ? lineOfClosing(text, start, lines, number)
      : lastOfBlock(lines, number, line);
    const end = last === number ? start + scalarLength(value) : (lines[last]?.end ?? start);
    for (const part of partsOf(text.slice(start, end))) {
      found.push({
        keys: [...keys, ...part.keys],
        value: part.value,
        start: start + part.start,
        end: start + part.end,
        column: line.column,
      });
    }
    number = last;
  }
  return found;
}

interface Level {
  readonly column: number;
  readonly key: string;
  readonly isItem: boolean;
}

interface Line {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface KeyLine {
  readonly start: number;
  /** Columns of the dashes before the key. */
  readonly dashes: readonly number[];
  readonly column: number;
  /** Absent for an item without a key. */
  readonly key: string | undefined;
  /** Where the value begins, counted from the column. */
  readonly valueAt: number;
}

function linesOf(text: string): readonly Line[] {
  return [...text.matchAll(/^.*$/gm)].map(({ 0: content, index }) => {
    const line = content.trimEnd();
    return { start: index, end: index + line.length, text: line };
  });
}

const PAIR = /^(?:"([^"]*)"\s*|'([^']*)'\s*|([^\s"'#{}[\],&*!|>:][^:#]*)):(?:\s+|$)/;

function readLine({ start, text }: Line): KeyLine | undefined {
  const lead = /^\s*(?:-\s+)*/.exec(text)?.[0] ?? '';
  const dashes = [...lead.matchAll(/-/g)].map((dash) => dash.index);
  const content = text.slice(lead.length);
  const pair = PAIR.exec(content);
  const key = pair?.[1] ?? pair?.[2] ?? pair?.[3]?.trimEnd();
  if (content.startsWith('#') || content === '' || (key === undefined && dashes.length === 0))
    return undefined;
  return { start, dashes, column: lead.length, key, valueAt: pair?.[0].length ?? 0 };
}

/** Leaves the levels that the line closes and enters its own. */
function enter(levels: Level[], { dashes, column, key }: KeyLine): void {
  for (const dash of dashes) {
    let index = 0;
    // A list may stand in the column of its key: only the item before it ends there.
    for (let top = levels.at(-1); top && isClosedBy(top, dash); top = levels.at(-1)) {
      if (top.isItem && top.column === dash) index = Number(top.key) + 1;
      levels.pop();
    }
    levels.push({ column: dash, key: String(index), isItem: true });
  }
  if (key === undefined) return;
  while ((levels.at(-1)?.column ?? -1) >= column) levels.pop();
  levels.push({ column, key, isItem: false });
}

function isClosedBy({ column, isItem }: Level, dash: number): boolean {
  return column > dash || (column === dash && isItem);
}

/** The last line that is part of the value: whatever is further in than its key. */
function lastOfBlock(lines: readonly Line[], from: number, { key, dashes, column }: KeyLine): number {
  const own = key === undefined ? (dashes.at(-1) ?? column) : column;
  let last = from;
  for (let number = from + 1; number < lines.length; number++) {
    const text = lines[number]?.text ?? '';
    if (text === '') continue;
    if (text.search(/\S/) <= own) break;
    last = number;
  }
  return last;
}

function lineOfClosing(text: string, start: number, lines: readonly Line[], from: number): number {
  let depth = 0;
  const brackets = /"(?:[^"\\]|\\.)*"|'[^']*'|[{}[\]]/g;
  brackets.lastIndex = start;
  for (let match = brackets.exec(text); match; match = brackets.exec(text)) {
    if ('{['.includes(match[0])) depth++;
    if ('}]'.includes(match[0])) depth--;
    if (depth > 0) continue;
    let line = from;
    while ((lines[line + 1]?.start ?? Number.POSITIVE_INFINITY) <= match.index) line++;
    return line;
  }
  return from;
}

/** Without a comment behind it. */
function scalarLength(value: string): number {
  const quoted = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/.exec(value);
  if (quoted) return quoted[0].length;
  if (/^[{[]/.test(value)) return value.length;
  const comment = value.search(/\s#/);
  return comment < 0 ? value.length : value.slice(0, comment).trimEnd().length;
}

function partsOf(value: string): readonly StringValue[] {
  if (/^[{[]/.test(value)) return flowStrings(value);
  return [{ keys: [], value: value.replace(/^(["'])(.*)\1$/s, '$2'), start: 0, end: value.length }];
}
