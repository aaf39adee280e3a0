/**
 * The address of a file of the installed package, from that of one of its modules. Modules lie in dist, at another depth when they
 * are bundled.
 */
export function packageFile(module: string, path: string): string {
  return `${module.slice(0, module.lastIndexOf('/dist/'))}/${path}`;
}
