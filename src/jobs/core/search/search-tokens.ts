import { NightmarkError } from '../../../platform/core/errors.ts';

export interface Token {
  readonly type: 'number' | 'text' | 'name' | 'symbol' | 'end';
  readonly text: string;
  /** From 0. */
  readonly at: number;
}

const LONGEST = 10_000;
const PIECE =
  /(?<space>\s+)|(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(?<name>[\p{L}_$][\p{L}\p{N}_$]*)|(?<symbol>===|!==|==|!=|<=|>=|!~|&&|\|\||[=<>~!+\-*/%()[\],.])/suy;

/** The tokens of an expression with their positions. */
export function tokenize(source: string): readonly Token[] {
  if (source.length > LONGEST) {
    throw new NightmarkError('SEARCH_TOO_LONG', `The search has ${source.length} characters.`, {
      hint: `At most ${LONGEST} are read. For many ids use the option that takes them.`,
    });
  }
  const tokens: Token[] = [];
  let at = 0;
  while (at < source.length) {
    PIECE.lastIndex = at;
    const groups = PIECE.exec(source)?.groups;
    if (groups === undefined) throw unreadable(source, at);
    const [type, text] = Object.entries(groups).find(([, found]) => found !== undefined) ?? ['space', ' '];
    if (type !== 'space') tokens.push({ type: type as Token['type'], text: text ?? '', at });
    at = PIECE.lastIndex;
  }
  return [...tokens, { type: 'end', text: '', at: source.length }];
}

/** The value of a quoted string. */
export function unquote(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/gsu, (_, character: string) => ESCAPES[character] ?? character);
}

export function syntaxError(source: string, at: number, { what, hint }: { what: string; hint: string }) {
  const place = at >= source.length ? 'its end' : `character ${at + 1} (${excerpt(source, at)})`;
  return new NightmarkError('SEARCH_SYNTAX', `The search cannot be read at ${place}: ${what}.`, { hint });
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

function unreadable(source: string, at: number): NightmarkError {
  const character = source.slice(at, at + 1);
  if (character === '"' || character === "'") {
    return syntaxError(source, at, { what: 'the text does not end', hint: `Close it with ${character}.` });
  }
  return syntaxError(source, at, {
    what: 'there is no such character in a search',
    hint: "For example: lr > 0.1 and model == 'resnet'. Texts stand in quotes.",
  });
}

function excerpt(source: string, at: number): string {
  const piece = source.slice(at, at + 20);
  return JSON.stringify(at + 20 < source.length ? `${piece}...` : piece);
}
