import { joinPath } from './path.ts';

/**
 * The address of a file of the installed package, from that of one of its modules. Modules lie in dist, at another depth when they
 * are bundled.
 */
export function packageFile(module: string, path: string): string {
  return `${module.slice(0, module.lastIndexOf('/dist/'))}/${path}`;
}

/** What a child process runs to be this program, from the folder of the package. */
export function programFile(packageDir: string): string {
  return joinPath(packageDir, 'dist/src/cli/nightmark.cjs');
}
