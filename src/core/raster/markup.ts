import { NotOurs } from './not-ours.ts';

export type Attributes = ReadonlyMap<string, string>;

/** Reads markup from front to back. Whatever is not written as our charts write it is not ours. */
export class Markup {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    if (REFUSED.test(text)) throw new NotOurs('characters that markup may not have, or halves of them');
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  /** Whether this comes next; then it is read. */
  takes(word: string): boolean {
    const isNext = this.#text.startsWith(word, this.#at);
    if (isNext) this.#at += word.length;
    return isNext;
  }

  expect(word: string): void {
    if (!this.takes(word)) throw new NotOurs(`no ${word} where it is expected`);
  }

  /** The name of a tag that begins here. */
  name(): string {
    this.expect('<');
    NAME.lastIndex = this.#at;
    const [name] = NAME.exec(this.#text) ?? [''];
    this.#at += name.length;
    return name;
  }

  /** Up to the end of the tag; `known` are those it may have. */
  attributes(known: ReadonlySet<string>): Attributes {
    const attributes = new Map<string, string>();
    while (this.takes(' ')) {
      const equals = this.#text.indexOf('="', this.#at);
      const end = this.#text.indexOf('"', equals + 2);
      const name = this.#text.slice(this.#at, equals);
      if (equals < 0 || end < 0 || !known.has(name) || attributes.has(name))
        throw new NotOurs(`the attribute ${name.slice(0, 40)}`);
      const value = this.#text.slice(equals + 2, end);
      if (value.includes('<')) throw new NotOurs('a tag within an attribute');
      attributes.set(name, value.includes('&') ? decoded(value) : value);
      this.#at = end + 1;
    }
    return attributes;
  }

  /** Text up to the next tag. */
  content(): string {
    const end = this.#text.indexOf('<', this.#at);
    if (end < 0) throw new NotOurs('markup that breaks off');
    const text = this.#text.slice(this.#at, end);
    this.#at = end;
    return text.includes('&') ? decoded(text) : text;
  }

  /** What is shown where somebody points: nothing of a picture. */
  skipTitle(): void {
    this.content();
    this.expect('</title>');
  }
}

const NAME = /[a-z]*/y;
/** Surrogates stand for characters that our font does not have; "]]>" may not be in a text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const REFUSED = /[\0-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]|\]\]>/;

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decoded(text: string): string {
  return text.replace(
    /&(?:#(\d{2,5});|(\w{2,4});)?/g,
    (_, code: string | undefined, name: string | undefined) => {
      const character = code === undefined ? NAMED[name ?? ''] : String.fromCharCode(Number(code));
      if (character === undefined || Number(code) > 0xffff || REFUSED.test(character))
        throw new NotOurs('an unknown entity');
      return character;
    },
  );
}
