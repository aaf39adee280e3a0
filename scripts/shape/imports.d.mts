export interface Import {
  readonly specifier: string;
  readonly isType: boolean;
  readonly isLater: boolean;
}
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;
export function isSource(file: string): boolean;
export function folderOf(file: string): string;
export function importsOf(text: string): readonly Import[];
export function importGraph(
  texts: ReadonlyMap<string, string>,
  options?: { readonly types?: boolean; readonly later?: boolean },
): Graph;
export function knots(
  graph: Graph,
  groupOf: (file: string) => string,
  counts: (file: string, target: string) => boolean,
): readonly (readonly string[])[];
