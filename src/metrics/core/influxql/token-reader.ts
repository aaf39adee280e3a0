import { placeOf, readToken, syntaxError, type Token } from './lexer.ts';

/** Walks over a query token by token; one token is looked at before it is taken. */
export class TokenReader {
  readonly text: string;
  #at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get at(): number {
    return this.#at;
  }

  peek(mayBePattern = false): Token {
    return readToken(this.text, this.#at, mayBePattern);
  }

  next(mayBePattern = false): Token {
    const token = this.peek(mayBePattern);
    this.#at = token.end;
    return token;
  }

  is(text: string): boolean {
    const token = this.peek();
    return (token.kind === 'keyword' || token.kind === 'sign') && token.text === text;
  }

  take(text: string): boolean {
    if (!this.is(text)) return false;
    this.next();
    return true;
  }

  need(text: string): void {
    if (!this.take(text)) throw this.unexpected(text);
  }

  /** One of these keywords, or an error that lists them all. */
  oneOf(...expected: readonly string[]): string {
    const token = this.peek();
    if (token.kind !== 'keyword' || !expected.includes(token.text))
      throw this.unexpected(expected.join(', '));
    return this.next().text;
  }

  name(): string {
    const token = this.peek();
    if (token.kind !== 'name' && token.kind !== 'quoted') throw this.unexpected('identifier');
    return this.next().text;
  }

  integer(): number {
    const token = this.peek();
    if (token.kind !== 'integer') throw this.unexpected('integer');
    return Number(this.next().text);
  }

  unexpected(expected: string, mayBePattern = false): Error {
    const token = this.peek(mayBePattern);
    return syntaxError(`found ${token.text}, expected ${expected} ${placeOf(this.text, token.at)}`);
  }
}
