/** One tag of a drawing, or the text behind it. */
export type SvgEvent =
  | {
      readonly type: 'open';
      readonly name: string;
      readonly attributes: Attributes;
      readonly isEmpty: boolean;
    }
  | { readonly type: 'close'; readonly name: string }
  | { readonly type: 'text'; readonly text: string };

export type Attributes = Readonly<Record<string, string>>;

/** The tags of a drawing in their order. Only what our own pages and charts are made of: no entities, no sections. */
export function* svgEvents(svg: string): Generator<SvgEvent> {
  if (!/^<svg\b/.test(svg) || !/<\/svg>\s*$/.test(svg)) throw new Error('it is no <svg> element');
  let open = 0;
  for (const [whole, close, name, words = '', end, text] of svg.matchAll(PIECE)) {
    if (text !== undefined) yield { type: 'text', text: decoded(text) };
    else if (close !== undefined) {
      open--;
      yield { type: 'close', name: close };
    } else if (name === undefined) throw new Error(`"${whole.slice(0, 40)}" is not understood`);
    else {
      if (end === '') open++;
      yield { type: 'open', name, attributes: attributesOf(words), isEmpty: end === '/' };
    }
  }
  if (open !== 0) throw new Error('its elements are not closed');
}

const PIECE = /<\/([\w:-]+)\s*>|<([\w:-]+)((?:\s+[\w:-]+="[^"]*")*)\s*(\/?)>|([^<]+)|</g;
const ATTRIBUTE = /([\w:-]+)="([^"]*)"/g;

function attributesOf(words: string): Attributes {
  const found: Record<string, string> = {};
  for (const [, name = '', value = ''] of words.matchAll(ATTRIBUTE)) found[name] = decoded(value);
  return found;
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|(\w+));/g, (whole, code: string | undefined, name: string) =>
    code === undefined ? (NAMED[name] ?? whole) : String.fromCodePoint(Math.min(Number(code), 0x10ffff)),
  );
}
