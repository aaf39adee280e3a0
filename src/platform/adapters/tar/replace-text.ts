import { isUtf8 } from 'node:buffer';
import type { PackRequest } from '../../core/archiver.ts';

/**
 * The content that takes the place of a file's, in the file's own encoding; undefined keeps it. The bytes are read only
 * when the text is wanted. Bytes that are not UTF-8 are kept one by one.
 */
export function replaceText(
  replace: NonNullable<PackRequest['replace']>,
  path: string,
  { size, bytes }: { readonly size: number; readonly bytes: () => Buffer },
): Buffer | undefined {
  let encoding: BufferEncoding = 'utf8';
  const text = () => {
    const content = bytes();
    encoding = isUtf8(content) ? 'utf8' : 'latin1';
    return content.toString(encoding);
  };
  const replaced = replace(path, text, size);
  return replaced === undefined ? undefined : Buffer.from(replaced, encoding);
}
