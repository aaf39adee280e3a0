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
  const open: Level[] = [{ key: undefined, index: 0, isList: false }];
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

interface Level {
  key: string | undefined;
  index: number;
  readonly isList: boolean;
}

function nameOf({ key, index, isList }: Level): readonly string[] {
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
    return token.slice(1, -1); // an escape that is none, or a tab: taken as it stands
  }
}
