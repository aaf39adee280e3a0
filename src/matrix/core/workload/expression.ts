import { failed, ok, type Result } from '../../../platform/core/result.ts';

/** Arithmetic over fields as a syntax tree. It can call only FUNCTIONS, so it is safe to evaluate. */
export type Expression =
  | { readonly type: 'number'; readonly value: number }
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'negate'; readonly of: Expression }
  | {
      readonly type: 'binary';
      readonly operator: Operator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly type: 'call'; readonly name: FunctionName; readonly args: readonly Expression[] };

export type Operator = '+' | '-' | '*' | '/';

/** How many arguments each takes at most; each takes at least one (percentile: two). */
const FUNCTIONS = {
  min: 20,
  max: 20,
  sum: 20,
  mean: 20,
  median: 20,
  count: 1,
  first: 1,
  last: 1,
  abs: 1,
  percentile: 2,
  area: 1,
  final: 1,
  best: 1,
  iqm: 1,
  iqm_low: 1,
  iqm_high: 1,
} as const;
export type FunctionName = keyof typeof FUNCTIONS;

/** Reads arithmetic such as `a / b`; the error is what was expected instead. */
export function parseExpression(text: string): Result<Expression> {
  if (text.length > LONGEST) return failed(`at most ${LONGEST} characters`);
  try {
    const reader: Reader = { tokens: tokensOf(text), at: 0, depth: 0 };
    const expression = readSum(reader);
    const rest = reader.tokens[reader.at];
    if (rest !== undefined) throw new SyntaxError(`an operator before "${rest}"`);
    return ok(expression);
  } catch (error) {
    if (error instanceof SyntaxError) return failed(error.message);
    throw error;
  }
}

/** The names of fields and settings in it. */
export function namesIn(expression: Expression): readonly string[] {
  switch (expression.type) {
    case 'number':
      return [];
    case 'name':
      return [expression.name];
    case 'negate':
      return namesIn(expression.of);
    case 'binary':
      return [...namesIn(expression.left), ...namesIn(expression.right)];
    case 'call':
      return expression.args.flatMap(namesIn);
  }
}

const LONGEST = 1000;
const DEEPEST = 50;
const TOKEN =
  /\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*(?:\.\w+)*)|([-+*/(),]))\s*/y;

interface Reader {
  readonly tokens: readonly string[];
  at: number;
  depth: number;
}

function tokensOf(text: string): readonly string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const { lastIndex } = TOKEN;
    const found = TOKEN.exec(text);
    if (!found)
      throw new SyntaxError(
        `numbers, names, + - * / ( ) and functions, not "${text.slice(lastIndex, lastIndex + 20)}"`,
      );
    tokens.push(found[1] ?? found[2] ?? found[3] ?? '');
  }
  return tokens;
}

function readSum(reader: Reader): Expression {
  let left = readProduct(reader);
  for (let operator = reader.tokens[reader.at]; operator === '+' || operator === '-'; ) {
    reader.at++;
    left = { type: 'binary', operator, left, right: readProduct(reader) };
    operator = reader.tokens[reader.at];
  }
  return left;
}

function readProduct(reader: Reader): Expression {
  let left = readFactor(reader);
  for (let operator = reader.tokens[reader.at]; operator === '*' || operator === '/'; ) {
    reader.at++;
    left = { type: 'binary', operator, left, right: readFactor(reader) };
    operator = reader.tokens[reader.at];
  }
  return left;
}

function readFactor(reader: Reader): Expression {
  if (++reader.depth > DEEPEST) throw new SyntaxError(`at most ${DEEPEST} levels of brackets`);
  try {
    const token = reader.tokens[reader.at++];
    if (token === '-') return { type: 'negate', of: readFactor(reader) };
    if (token === '(') {
      const inner = readSum(reader);
      expect(reader, ')');
      return inner;
    }
    if (token === undefined || /^[+*/),]$/.test(token)) {
      throw new SyntaxError(`a number or a name ${token === undefined ? 'at the end' : `before "${token}"`}`);
    }
    if (/^[\d.]/.test(token)) return { type: 'number', value: Number(token) };
    return reader.tokens[reader.at] === '(' ? readCall(token, reader) : { type: 'name', name: token };
  } finally {
    reader.depth--;
  }
}

function readCall(name: string, reader: Reader): Expression {
  if (!isFunction(name)) {
    throw new SyntaxError(`one of the functions ${Object.keys(FUNCTIONS).join(', ')}, not ${name}`);
  }
  reader.at++;
  const args = [readSum(reader)];
  while (reader.tokens[reader.at] === ',') {
    reader.at++;
    args.push(readSum(reader));
  }
  expect(reader, ')');
  const most = FUNCTIONS[name];
  const least = name === 'percentile' ? 2 : 1;
  if (args.length > most || args.length < least) {
    throw new SyntaxError(
      `${name} with ${least === most ? most : `${least} to ${most}`} arguments, not ${args.length}`,
    );
  }
  return { type: 'call', name, args };
}

function isFunction(name: string): name is FunctionName {
  return Object.hasOwn(FUNCTIONS, name);
}

function expect(reader: Reader, token: string): void {
  const found = reader.tokens[reader.at++];
  if (found !== token)
    throw new SyntaxError(`"${token}" ${found === undefined ? 'at the end' : `before "${found}"`}`);
}
