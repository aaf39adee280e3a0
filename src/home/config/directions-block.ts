import { z } from 'zod';
import { readDefinition } from '../../platform/config/definition.ts';
import { toProblems } from '../../platform/config/definition-problems.ts';
import { plainText } from '../../platform/config/schema-fields.ts';
import { keysAt } from '../../platform/config/schema-walk.ts';
import type { Disk } from '../../platform/core/disk.ts';
import type { Problem } from '../../platform/core/errors.ts';
import { DECLARED_DIRECTIONS, type DirectionRule } from '../core/changes/directions.ts';
import { homeLayout } from '../core/home-layout.ts';

const VALUES = 'lower, higher or none';

/** Patterns of series, and which direction of them is good. */
export const directions = z.record(
  plainText('a pattern over names of series such as "*/seconds"'),
  z.enum(DECLARED_DIRECTIONS, { error: VALUES }),
  { error: `a mapping of patterns to ${VALUES}` },
);

type DirectionsInput = z.output<typeof directions>;

/** Later rules count before earlier ones, and those of an experiment before those of the home. */
export function toDirections(
  input: DirectionsInput | undefined,
  experiment?: string,
): readonly DirectionRule[] {
  return Object.entries(input ?? {}).map(([pattern, better]) => ({
    pattern,
    ...(experiment !== undefined && { experiment }),
    better,
  }));
}

/** The directions of a dashboard home, in a file of their own: those of the dashboard stay as they are. A file that cannot be used is a problem, and declares nothing. */
export async function readDirectionsFile(
  home: string,
  disk: Disk,
): Promise<{ readonly rules: readonly DirectionRule[]; readonly problems: readonly Problem[] }> {
  const parsed = await readDefinition(homeLayout(home).directions, disk);
  if (parsed === undefined) return { rules: [], problems: [] };
  if (parsed.state === 'broken') return { rules: [], problems: parsed.problems };
  const { definition } = parsed;
  const result = directions.safeParse(definition.value ?? {});
  if (result.success) return { rules: toDirections(result.data), problems: [] };
  const problems = toProblems(result.error, { definition, path: [] }, (path) => keysAt(directions, path));
  return { rules: [], problems };
}
