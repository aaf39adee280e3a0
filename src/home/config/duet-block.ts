import { readDefinition } from '../../platform/config/definition.ts';
import { toProblems } from '../../platform/config/definition-problems.ts';
import { keysAt } from '../../platform/config/schema-walk.ts';
import type { Disk } from '../../platform/core/disk.ts';
import type { Problem } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import { unusable } from './home-inspection.ts';
import { fileSchema, topSchema } from './native-schema.ts';

/** The defaults in nightmark.yml at the root of a repository for `nightmark duet --against`. */
export interface DuetBlock {
  readonly file: string;
  readonly build?: string;
  readonly run?: string;
  /** Fractions: 0.01 is 1 %. */
  readonly minEffect?: number;
  readonly allow?: number;
  readonly runs?: number;
  /** As after --measure. */
  readonly measure?: string;
}

/** Undefined where there is no such file, or no such block in it. */
export async function readDuetBlock(root: string, disk: Disk): Promise<DuetBlock | undefined> {
  for (const name of ['nightmark.yml', 'nightmark.yaml']) {
    const file = joinPath(root, name);
    const parsed = await readDefinition(file, disk);
    if (parsed === undefined) continue;
    if (parsed.state !== 'parsed') return refuse('CONFIG_SYNTAX', parsed.problems);
    const { definition } = parsed;
    const result = topSchema.safeParse(definition.value);
    if (!result.success) {
      const known = (path: readonly PropertyKey[]) => keysAt(fileSchema, path);
      return refuse('CONFIG_INVALID', toProblems(result.error, { definition, path: [] }, known));
    }
    const { duet } = result.data;
    if (duet === undefined) return undefined;
    const { 'min-effect': minEffect, ...rest } = duet;
    const given = Object.entries({ ...rest, minEffect }).filter(([, value]) => value !== undefined);
    return { file, ...(Object.fromEntries(given) as Omit<DuetBlock, 'file'>) }; // checked by the schema
  }
  return undefined;
}

function refuse(code: string, problems: readonly Problem[]): never {
  const inspection = unusable(code, problems);
  throw inspection.state === 'unusable' ? inspection.error : new Error(code);
}
