import { componentPattern } from '../../platform/core/patterns/glob.ts';

/**
 * Which paths of a folder of code stay out of its package. A pattern is a glob over the last name of a path, for files
 * and folders; what is below such a folder is out with it. Lines that are empty or begin with "#" are comments.
 */
export function codeFilter(ignoreFile: string, excludes: readonly string[]): (path: string) => boolean {
  const patterns = [...ignoreFile.split('\n'), ...excludes]
    .map((line) => line.trim().replace(/\/+$/, ''))
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(componentPattern);
  return (path) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return patterns.some((pattern) => pattern.test(name));
  };
}
