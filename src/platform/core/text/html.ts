/** Text that is markup already. Only `html` makes it: everything else is escaped. */
export class Html {
  readonly #text: string;
  constructor(parts: readonly string[]) {
    this.#text = parts.join('');
  }
  toString(): string {
    return this.#text;
  }
}

export type Content = Html | string | number | undefined | false | readonly Content[];

/** A template whose values are escaped; nested templates and lists of them are put in as they are. */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  const parts: string[] = [];
  for (const [index, text] of strings.entries()) {
    parts.push(text);
    if (index < values.length) addTo(parts, values[index]);
  }
  return new Html(parts);
}

/** One component of an address: names of experiments may contain anything. */
export function segment(name: string): string {
  return encodeURIComponent(name.replace(/\p{Cs}/gu, '\ufffd'));
}

/** A path below a folder as part of an address. */
export function segments(path: string): string {
  return path.split('/').map(segment).join('/');
}

/**
 * Everything from experiments is untrusted: markup is escaped, control characters become visible, and the marks
 * that turn the direction of text cannot make one name look like another.
 */
function escapeText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(/[\u202a-\u202e\u2066-\u2069\u200e\u200f]/g, '\ufffd')
    .replace(/\p{Cc}/gu, visible)
    .replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Numbers, names and colours: most of what is put in, and nothing to escape. */
const PLAIN = /^[\w #%(),./:;[\]{}+=-]*$/;

/** Unicode has pictures for the ASCII control characters, from U+2400 on. */
function visible(control: string): string {
  if (control === '\n' || control === '\t') return control;
  const code = control.charCodeAt(0);
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\ufffd';
}

function addTo(parts: string[], value: Content): void {
  if (value === undefined || value === false) return;
  if (value instanceof Html) parts.push(value.toString());
  else if (typeof value === 'object') for (const item of value) addTo(parts, item);
  else parts.push(escapeText(String(value)));
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Text of XML or HTML with its five names and its numbers as the characters they stand for. */
export function unescapeMarkup(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (all, ten, hex, named) => {
    if (named !== undefined) return NAMED[String(named).toLowerCase()] ?? all;
    const code = ten === undefined ? Number.parseInt(String(hex), 16) : Number(ten);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}
