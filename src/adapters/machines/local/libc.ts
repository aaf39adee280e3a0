import { createHash } from 'node:crypto';
import type { ReadFile } from './read-file.ts';

/**
 * The C library this process has loaded. glibc carries a sentence with its exact build; any other is named by its
 * file and a hash of the content, which changes with every build just as well.
 */
export function readLibc(read: ReadFile): string | undefined {
  const maps = read('proc/self/maps') ?? '';
  const path = /\s(\/\S*\/(?:libc(?:-[\d.]+)?\.so(?:\.6)?|(?:ld-musl|libc\.musl)[^/\s]*))$/m.exec(maps)?.[1];
  const content = path === undefined ? undefined : read(path, 'latin1');
  if (path === undefined || content === undefined) return undefined;
  const at = content.indexOf('GNU C Library (');
  const build = at < 0 ? undefined : /^GNU C Library \((.{1,100}?)\) /.exec(content.slice(at, at + 200))?.[1];
  const version = at < 0 ? undefined : /version (\d[\d.]*\d)/.exec(content.slice(at, at + 200))?.[1];
  if (version !== undefined) return `glibc ${version}${build === undefined ? '' : ` (${build})`}`;
  const hash = createHash('sha256').update(content, 'latin1').digest('hex').slice(0, 12);
  return `${path.slice(path.lastIndexOf('/') + 1)} ${hash}`;
}
