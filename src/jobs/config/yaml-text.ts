import { yamlLibrary } from '../../platform/config/yaml-library.ts';
import type { JsonValue } from '../../platform/core/text/json.ts';

/** A value as YAML 1.1, which Python's tools read; whatever could move a cursor or reorder a line stands in quotes, escaped. */
export function yamlText(value: JsonValue): string {
  const { Document, visit } = yamlLibrary();
  const document = new Document(value, { version: '1.1' });
  visit(document, {
    Scalar(_, scalar) {
      if (typeof scalar.value === 'string' && HIDDEN.test(scalar.value)) scalar.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0 }).replace(RAW, escaped);
}

/** Line ends too, so that no text is a block, which holds everything as it is. */
const HIDDEN = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;
/** What quotes alone do not escape; a line end is the only control character outside of them. */
const RAW = /(?!\n)[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
