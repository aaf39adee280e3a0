import { joinPath } from '../core/path.ts';

/** What a child process runs to be this program, from the folder of the package. */
export function programFile(packageDir: string): string {
  return joinPath(packageDir, 'dist/src/cli/nightmark.cjs');
}
