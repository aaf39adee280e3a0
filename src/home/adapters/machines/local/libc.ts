import { createHash } from 'node:crypto';
import type { ReadBytes } from './read-file.ts';

/**
 * The C library this process has loaded. glibc carries a sentence with its exact build; any other is named by its
 * file and a hash of the content, which changes with every build just as well.
 */
export function readLibc(read: ReadBytes): string | undefined {
  const path = LIBC.exec(read('proc/self/maps')?.toString() ?? '')?.[1];
  const content = path === undefined ? undefined : read(path);
  if (path === undefined || content === undefined) return undefined;
  const at = content.indexOf('GNU C Library (');
  const sentence = at < 0 ? '' : content.toString('latin1', at, at + 200);
  const [, build, version] = /^GNU C Library \((.+?)\) .*?version (\d[\d.]*\d)/.exec(sentence) ?? [];
  if (version !== undefined) return `glibc ${version} (${build})`;
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  return `${path.slice(path.lastIndexOf('/') + 1)} ${hash}`;
}

/** A path at the end of a line of /proc/self/maps: libc.so.6, libc-2.31.so, ld-musl-x86_64.so.1. */
const LIBC = /\s(\/\S*\/(?:libc(?:-[\d.]+)?\.so(?:\.6)?|(?:ld-musl|libc\.musl)[^/\s]*))$/m;
