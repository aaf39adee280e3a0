/**
 * Paths as text, POSIX only: core and app import nothing of node, and the protocol
 * of stage scripts is a POSIX one.
 */

/** Joins parts with single slashes; empty parts are left out. Does not resolve "..". */
export function joinPath(...parts: readonly string[]): string {
  const joined = parts.filter((part) => part !== '').join('/');
  return joined.replace(/\/{2,}/g, '/');
}

/** The last component, without trailing slashes. */
export function baseName(path: string): string {
  const trimmed = path.replace(/\/+$/, '');
  return trimmed.slice(trimmed.lastIndexOf('/') + 1);
}

/** The path without its last component; "." when there is none. */
export function dirName(path: string): string {
  const trimmed = path.replace(/\/+$/, '');
  const slash = trimmed.lastIndexOf('/');
  if (slash < 0) return '.';
  return slash === 0 ? '/' : trimmed.slice(0, slash);
}

/** True when `path` is `folder` itself or lies below it. Both absolute and resolved. */
export function isInside(path: string, folder: string): boolean {
  const root = folder.endsWith('/') ? folder : `${folder}/`;
  return path === folder || path.startsWith(root);
}

/** Resolves `path` against the absolute folder `base`, taking out "." and "..". */
export function resolvePath(base: string, path: string): string {
  const parts: string[] = [];
  for (const part of `${path.startsWith('/') ? '' : base}/${path}`.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') parts.pop();
    else parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** Says why a name cannot be the name of one folder entry; undefined when it can. */
export function whyInvalidName(name: string): string | undefined {
  if (name === '') return 'it is empty';
  if (name === '.' || name === '..') return 'it means another folder';
  if (name.includes('/')) return 'it contains "/"';
  if (name.includes('\0')) return 'it contains a NUL character';
  return undefined;
}
