import type { Workload } from '../../formats/core/kpi/workload.ts';
import { joinPath, resolvePath } from '../../platform/core/path.ts';
import type { Filters } from '../core/filters.ts';

/** Which tree is read, and how. */
export interface ParseRequest {
  /** Absolute. */
  readonly dir: string;
  /** The folder as it was named: locations begin with it. */
  readonly label: string;
  readonly workload: Workload;
  readonly filters: Filters;
  /** Folders above the results whose settings count too; see `parentsAsNamed`. */
  readonly parents: readonly string[];
  readonly isCompat: boolean;
  readonly usesCache: boolean;
  /** Tests that are read at a time. */
  readonly jobs: number;
}

/**
 * The folders that the original climbs through above the results: those that the name of the folder goes through. A relative
 * name ends at the working directory, an absolute one at "/".
 */
export function parentsAsNamed(label: string, cwd: string): readonly string[] {
  const parts = label.split('/').filter((part) => part !== '' && part !== '.');
  const start = label.startsWith('/') ? '/' : cwd;
  return parts.map((_, length) => resolvePath(start, parts.slice(0, length).join('/')));
}

/** A test directory as people named it. */
export function locationOf({ label }: Pick<ParseRequest, 'label'>, path: string): string {
  const named = label.replace(/^(\.\/+)+|^\.$/, '').replace(/(.)\/+$/, '$1');
  return joinPath(named, path) || '.';
}
