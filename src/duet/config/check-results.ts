import type { Definition } from '../../platform/config/definition.ts';
import { dotted, problemAt } from '../../platform/config/definition-problems.ts';
import type { Problem } from '../../platform/core/errors.ts';
import { baseName } from '../../platform/core/path.ts';

export interface ResultsPlace {
  readonly definition: Definition;
  /** Of the list. */
  readonly path: readonly PropertyKey[];
  /** Of the side that the results are of. */
  readonly image: string | undefined;
}

/** Results are kept by the last part of their path, and must lie where a run may write. */
export function checkResults(results: readonly string[], place: ResultsPlace): readonly Problem[] {
  const seen = new Map<string, string>();
  return results.flatMap((path, index) => {
    const at = [...place.path, index];
    const name = baseName(path);
    const twin = seen.get(name);
    seen.set(name, twin ?? path);
    const complaint = complaintAbout(path, twin, place.image);
    if (complaint === undefined) return [];
    const { reason, hint, severity = 'error' } = complaint;
    const message = `${dotted(at)}: ${JSON.stringify(path)} ${reason}`;
    return [{ ...problemAt(place.definition, at, message, { hint }), severity }];
  });
}

interface Complaint {
  readonly reason: string;
  readonly hint?: string;
  readonly severity?: Problem['severity'];
}

function complaintAbout(
  path: string,
  twin: string | undefined,
  image: string | undefined,
): Complaint | undefined {
  if (['', '.', '..'].includes(baseName(path))) return { reason: 'does not name a file or a folder' };
  if (twin !== undefined) {
    return {
      reason: `and ${JSON.stringify(twin)} would be kept under the same name`,
      hint: 'Results are kept by the last part of their path: use different file names.',
    };
  }
  if (path.startsWith('/')) return undefined;
  if (image !== undefined) {
    const reason = 'is relative: where that is in a container depends on the engine';
    return { reason, hint: 'Use an absolute path.', severity: 'warning' };
  }
  if (!climbsOut(path)) return undefined;
  return { reason: 'leads out of the folder of the run', hint: 'Use a path below it, or an absolute one.' };
}

function climbsOut(path: string): boolean {
  let depth = 0;
  for (const part of path.split('/')) {
    if (part === '..') depth--;
    else if (part !== '' && part !== '.') depth++;
    if (depth < 0) return true;
  }
  return false;
}
