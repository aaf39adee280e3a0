import { isUtf8 } from 'node:buffer';

/** The text of a file and how to write it again: bytes that are no UTF-8 are kept one by one. */
export function decodeText(bytes: Buffer): { readonly text: string; readonly encoding: 'utf8' | 'latin1' } {
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
  return { text: bytes.toString(encoding), encoding };
}
