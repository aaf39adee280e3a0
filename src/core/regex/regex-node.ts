/** Whether a character (a code point) belongs to a set. */
export type CharTest = (code: number) => boolean;

/** Where a match may be without taking a character. */
export type Place = 'text-begin' | 'text-end' | 'line-begin' | 'line-end' | 'word-edge' | 'no-word-edge';

export type RegexNode =
  | { readonly kind: 'char'; readonly test: CharTest }
  | { readonly kind: 'place'; readonly place: Place }
  | { readonly kind: 'all' | 'any'; readonly parts: readonly RegexNode[] }
  | { readonly kind: 'repeat'; readonly of: RegexNode; readonly least: number; readonly most: number };

/** What is wrong with an expression, in the words of Go's regexp package. */
export class RegexProblem extends Error {
  constructor(what: string, where: string) {
    super(`${what}: \`${where}\``);
  }
}
