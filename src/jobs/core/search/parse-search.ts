import { NightmarkError } from '../../../platform/core/errors.ts';
import { compilePattern } from '../../../platform/core/patterns/pattern.ts';
import {
  type Comparison,
  type Expression,
  type JobSearch,
  SEARCH_METHODS,
  type SearchMethod,
} from '../job-search.ts';
import { syntaxError, type Token, tokenize, unquote } from './search-tokens.ts';

/**
 * Parses a search: `where:` or `js:` and an expression, or a regular expression for names, experiments and
 * descriptions. An invalid regular expression is plain text. Undefined: the search is empty.
 */
export function parseSearch(text: string): JobSearch | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const expression = /^(?:js|where):(.*)$/su.exec(trimmed)?.[1];
  if (expression !== undefined) return expression.trim() === '' ? undefined : parseWhere(expression);
  return { type: 'text', text: trimmed, isPattern: isPattern(trimmed) };
}

/** An expression without a prefix, as in an option. */
export function parseWhere(text: string): JobSearch {
  return { type: 'expression', expression: parseExpression(text) };
}

/** Throws for a pattern that cannot be matched in linear time; other invalid patterns are plain text. */
function isPattern(text: string): boolean {
  try {
    compilePattern(text);
    return true;
  } catch (error) {
    if (!(error instanceof NightmarkError)) throw error;
    if (error.code !== 'PATTERN_UNSUPPORTED') return false;
    throw new NightmarkError(
      'SEARCH_PATTERN',
      `${JSON.stringify(text)} is not searched for: ${error.message}.`,
      {
        hint: `${error.hint} Or write a condition: where:name.includes('a') and name.includes('b')`,
      },
    );
  }
}

/** Deeper ones would overflow the stack. */
const MAX_DEPTH = 200;
const COMPARISONS: Readonly<Record<string, Comparison>> = {
  ...{ '==': '==', '===': '==', '=': '==', '!=': '!=', '!==': '!=' },
  ...{ '<': '<', '<=': '<=', '>': '>', '>=': '>=', '~': '~', '!~': '!~' },
};
const LITERALS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };
const KEYWORDS = new Set(['and', 'or', 'not', 'in', ...Object.keys(LITERALS)]);

/** Recursive descent, one method per level of precedence; nothing is ever run as code. */
function parseExpression(source: string): Expression {
  return new ExpressionParser(source).whole();
}

class ExpressionParser {
  readonly #source: string;
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(source: string) {
    this.#source = source;
    this.#tokens = tokenize(source);
  }

  whole(): Expression {
    const expression = this.#or();
    if (this.#next.type !== 'end') throw this.#unexpected();
    return expression;
  }

  #or(): Expression {
    let left = this.#and();
    while (this.#accept('||', 'or')) left = { type: 'or', left, right: this.#and() };
    return left;
  }

  #and(): Expression {
    let left = this.#not();
    while (this.#accept('&&', 'and')) left = { type: 'and', left, right: this.#not() };
    return left;
  }

  /** `not` negates the whole comparison, `!` only the next operand. */
  #not(): Expression {
    if (!this.#accept('not')) return this.#comparison();
    return this.#deeper(() => ({ type: 'not', of: this.#not() }));
  }

  #comparison(): Expression {
    const left = this.#sum();
    const isNotIn = this.#next.text === 'not' && this.#tokens[this.#at + 1]?.text === 'in';
    if (isNotIn) this.#at++;
    if (this.#accept('in')) {
      const within: Expression = { type: 'in', left, values: this.#list() };
      return isNotIn ? { type: 'not', of: within } : within;
    }
    const operator = this.#next.type === 'symbol' ? COMPARISONS[this.#next.text] : undefined;
    if (operator === undefined) return left;
    this.#at++;
    const right = operator.endsWith('~') ? this.#pattern() : this.#sum();
    if (this.#next.type === 'symbol' && COMPARISONS[this.#next.text] !== undefined) {
      throw this.#error('a comparison has two sides', 'Write a < b and b < c.');
    }
    return { type: 'compare', operator, left, right };
  }

  #pattern(): Expression {
    const { type, text } = this.#next;
    if (type !== 'text') throw this.#error('a pattern in quotes is missing', "For example: name ~ '^resnet'");
    try {
      compilePattern(unquote(text));
    } catch (error) {
      if (!(error instanceof NightmarkError)) throw error;
      throw this.#error(error.message, error.hint ?? "To find a text as it is: name.includes('text')");
    }
    this.#at++;
    return { type: 'value', value: unquote(text) };
  }

  #list(): readonly Expression[] {
    this.#need('[', "For example: model in ['a', 'b']");
    const values: Expression[] = [];
    while (!this.#accept(']')) {
      if (values.length > 0) this.#need(',', 'Values of a list stand between commas.');
      values.push(this.#sum());
    }
    return values;
  }

  #sum(): Expression {
    let left = this.#product();
    for (;;) {
      const operator = this.#takeOneOf('+', '-');
      if (operator === undefined) return left;
      left = { type: 'arithmetic', operator, left, right: this.#product() };
    }
  }

  #product(): Expression {
    let left = this.#unary();
    for (;;) {
      const operator = this.#takeOneOf('*', '/', '%');
      if (operator === undefined) return left;
      left = { type: 'arithmetic', operator, left, right: this.#unary() };
    }
  }

  #unary(): Expression {
    if (this.#accept('!')) return this.#deeper(() => ({ type: 'not', of: this.#unary() }));
    if (this.#accept('+')) return this.#deeper(() => this.#unary());
    if (!this.#accept('-')) return this.#primary();
    const of = this.#deeper(() => this.#unary());
    if (of.type === 'value' && typeof of.value === 'number') return { type: 'value', value: -of.value };
    return { type: 'arithmetic', operator: '-', left: { type: 'value', value: 0 }, right: of };
  }

  #primary(): Expression {
    const { type, text } = this.#next;
    if (this.#accept('(')) {
      const inside = this.#deeper(() => this.#or());
      this.#need(')', 'A parenthesis was opened before.');
      return this.#calls(inside);
    }
    if (type === 'number' || type === 'text') {
      this.#at++;
      return this.#calls({ type: 'value', value: type === 'number' ? Number(text) : unquote(text) });
    }
    if (type !== 'name') throw this.#unexpected();
    if (Object.hasOwn(LITERALS, text)) {
      this.#at++;
      return { type: 'value', value: LITERALS[text] ?? null };
    }
    if (KEYWORDS.has(text)) throw this.#unexpected();
    return this.#name();
  }

  /** `a.b[0]["c"]`: one name, its parts between dots. */
  #name(): Expression {
    let name = this.#take().text;
    for (;;) {
      if (this.#accept('[')) {
        const { type, text } = this.#next;
        if (type !== 'text' && !/^\d+$/.test(text)) {
          throw this.#error(
            'a number or a text in quotes is missing',
            'For example: layers[0] or config["a b"]',
          );
        }
        this.#at++;
        name += `.${type === 'text' ? unquote(text) : text}`;
        this.#need(']', 'A bracket was opened before.');
      } else if (this.#next.text === '.' && !this.#isCall()) {
        this.#at++;
        if (this.#next.type !== 'name') throw this.#error('a name is missing', 'For example: optimizer.lr');
        name += `.${this.#take().text}`;
      } else return this.#calls({ type: 'name', name });
    }
  }

  #calls(of: Expression): Expression {
    if (this.#next.text === '(' && of.type === 'name') {
      throw this.#error('nothing can be called here', `Only ${METHODS} of a text or a list can.`);
    }
    if (!this.#isCall()) return of;
    this.#at++;
    const method = this.#next.text;
    if (!isMethod(method)) throw this.#error(`${method}() is unknown`, `There are ${METHODS}.`);
    this.#at++;
    this.#need('(', '');
    const argument = this.#sum();
    this.#need(')', `${method}() takes one value.`);
    return this.#deeper(() => this.#calls({ type: 'call', method, of, argument }));
  }

  #isCall(): boolean {
    return this.#next.text === '.' && this.#tokens[this.#at + 2]?.text === '(';
  }

  get #next(): Token {
    return this.#tokens[this.#at] as Token;
  }

  #take(): Token {
    const token = this.#next;
    this.#at++;
    return token;
  }

  #accept(...words: readonly string[]): boolean {
    const { type, text } = this.#next;
    if ((type !== 'symbol' && type !== 'name') || !words.includes(text)) return false;
    this.#at++;
    return true;
  }

  #takeOneOf<T extends string>(...words: readonly T[]): T | undefined {
    return words.find((word) => this.#accept(word));
  }

  #need(symbol: string, hint: string): void {
    if (!this.#accept(symbol)) throw this.#error(`"${symbol}" is missing`, hint);
  }

  #deeper<T>(work: () => T): T {
    if (++this.#depth > MAX_DEPTH) throw this.#error('it is nested too deeply', 'Remove some parentheses.');
    const result = work();
    this.#depth--;
    return result;
  }

  #unexpected(): Error {
    const { type, text } = this.#next;
    const what = type === 'end' ? 'a value is missing' : `${JSON.stringify(text)} does not belong here`;
    return this.#error(what, "For example: lr > 0.1 and model == 'resnet' and not starred");
  }

  #error(what: string, hint: string): Error {
    return syntaxError(this.#source, this.#next.at, { what, hint });
  }
}

const METHODS = SEARCH_METHODS.join(', ');

function isMethod(text: string): text is SearchMethod {
  return SEARCH_METHODS.some((method) => method === text);
}
