import { NightmarkError } from '../../../../platform/core/errors.ts';
import { compilePattern } from '../../../../platform/core/patterns/pattern.ts';
import type { CastType, Expression } from './ast.ts';
import { placeOf, syntaxError, type TokenReader } from './lexer.ts';
import { parseDuration } from './time.ts';

const PRECEDENCE: Readonly<Record<string, number>> = {
  OR: 1,
  AND: 2,
  '=': 3,
  '!=': 3,
  '=~': 3,
  '!~': 3,
  '<': 3,
  '<=': 3,
  '>': 3,
  '>=': 3,
  '+': 4,
  '-': 4,
  '|': 4,
  '^': 4,
  '*': 5,
  '/': 5,
  '%': 5,
  '&': 5,
};

const CASTS = new Set(['float', 'integer', 'unsigned', 'string', 'boolean', 'tag', 'field']);
const DEEPEST = 200;
const EXPECTED = 'identifier, string, number, bool';

/** Operators by precedence; `depth` keeps hostile nesting from exhausting the stack. */
export function parseExpression(tokens: TokenReader, lowest = 1, depth = 0): Expression {
  if (depth > DEEPEST) throw syntaxError(`expressions are nested more than ${DEEPEST} deep`);
  let left = parseUnary(tokens, depth);
  for (;;) {
    const op = tokens.peek();
    const rank = op.kind === 'sign' || op.kind === 'keyword' ? PRECEDENCE[op.text] : undefined;
    if (rank === undefined || rank < lowest) return left;
    tokens.next();
    const isPattern = op.text === '=~' || op.text === '!~';
    const right = isPattern ? parsePattern(tokens) : parseExpression(tokens, rank + 1, depth + 1);
    left = { kind: 'binary', op: op.text, left, right };
  }
}

export function parsePattern(tokens: TokenReader): Expression & { kind: 'regex' } {
  const token = tokens.peek(true);
  if (token.kind !== 'regex') throw tokens.unexpected('regex', true);
  tokens.next(true);
  try {
    return { kind: 'regex', pattern: compilePattern(token.text, 'go') };
  } catch (error) {
    if (!(error instanceof NightmarkError)) throw error;
    throw syntaxError(`error parsing regexp: ${error.message} ${placeOf(tokens.text, token.at)}`);
  }
}

function parseUnary(tokens: TokenReader, depth: number): Expression {
  const token = tokens.peek(true);
  switch (token.kind) {
    case 'regex':
      return parsePattern(tokens);
    case 'string':
      return { kind: 'string', value: tokens.next().text };
    case 'number':
      return { kind: 'number', value: Number(tokens.next().text) };
    case 'integer':
      tokens.next();
      return { kind: 'number', value: Number(token.text), integer: BigInt(token.text) };
    case 'duration':
      return { kind: 'duration', ns: parseDuration(tokens.next().text) };
    case 'name':
    case 'quoted':
      return parseNamed(tokens, depth);
    default:
      return parseSign(tokens, depth);
  }
}

function parseSign(tokens: TokenReader, depth: number): Expression {
  if (tokens.take('(')) {
    const inner = parseExpression(tokens, 1, depth + 1);
    tokens.need(')');
    return { kind: 'paren', inner };
  }
  if (tokens.take('-')) return negative(parseUnary(tokens, depth + 1));
  if (tokens.take('+')) return parseUnary(tokens, depth + 1);
  if (tokens.take('TRUE')) return { kind: 'bool', value: true };
  if (tokens.take('FALSE')) return { kind: 'bool', value: false };
  if (tokens.take('*')) {
    if (!tokens.take('::')) return { kind: 'star' };
    const of = tokens.next().text.toLowerCase();
    if (of === 'field' || of === 'tag') return { kind: 'star', of };
    throw tokens.unexpected('field, tag');
  }
  if (tokens.take('DISTINCT')) {
    const args = tokens.take('(') ? parseArguments(tokens, depth) : [parseNamed(tokens, depth)];
    return { kind: 'call', name: 'distinct', args };
  }
  throw tokens.unexpected(EXPECTED);
}

function negative(inner: Expression): Expression {
  if (inner.kind === 'number') {
    return inner.integer === undefined
      ? { kind: 'number', value: -inner.value }
      : { kind: 'number', value: -inner.value, integer: -inner.integer };
  }
  if (inner.kind === 'duration') return { kind: 'duration', ns: -inner.ns };
  return { kind: 'binary', op: '*', left: { kind: 'number', value: -1, integer: -1n }, right: inner };
}

function parseNamed(tokens: TokenReader, depth: number): Expression {
  const isQuoted = tokens.peek().kind === 'quoted';
  let name = tokens.name();
  if (!isQuoted && tokens.take('(')) {
    return { kind: 'call', name: name.toLowerCase(), args: parseArguments(tokens, depth) };
  }
  while (tokens.take('.')) name += `.${tokens.name()}`;
  if (!tokens.take('::')) return { kind: 'ref', name };
  const cast = tokens.peek().text.toLowerCase();
  if (!CASTS.has(cast)) throw tokens.unexpected('float, integer, unsigned, string, boolean, field, tag');
  tokens.next();
  return { kind: 'ref', name, type: cast as CastType };
}

function parseArguments(tokens: TokenReader, depth: number): readonly Expression[] {
  const args: Expression[] = [];
  if (tokens.take(')')) return args;
  do args.push(parseExpression(tokens, 1, depth + 1));
  while (tokens.take(','));
  tokens.need(')');
  return args;
}
