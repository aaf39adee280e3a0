import { relative } from 'node:path';
import { isInside } from '../../../core/path.ts';

/**
 * Says why the symbolic link at `path` (relative to its root) may lead out of the root; undefined when it cannot.
 * ".." is allowed at the beginning only: behind a name, which may itself be a link, text and system disagree on
 * where it leads.
 */
export function whyLinkLeaves(path: string, target: string): string | undefined {
  if (target === '') return 'is a link to nothing';
  if (target.startsWith('/')) return `is a link to the absolute path ${target}`;
  const parts = target.split('/').filter((part) => part !== '' && part !== '.');
  const names = parts.findIndex((part) => part !== '..');
  const ups = names < 0 ? parts.length : names;
  if (parts.slice(ups).includes('..')) return `is a link to ${target}, with ".." behind a name`;
  const depth = path.split('/').length - 1;
  return ups > depth ? `is a link to ${target}, which is outside of the folder` : undefined;
}

/** An absolute target inside the root as a relative one, so that it is right wherever the root is restored. */
export function relativeTarget(root: string, place: string, target: string): string {
  if (!target.startsWith('/') || target.includes('/../') || !isInside(target, root)) return target;
  return relative(place.slice(0, place.lastIndexOf('/')), target) || '.';
}
