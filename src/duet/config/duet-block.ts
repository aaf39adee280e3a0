import type { z } from 'zod';
import type { Definition } from '../../platform/config/definition.ts';
import { dotted, problemAt, toProblems } from '../../platform/config/definition-problems.ts';
import type { Problem } from '../../platform/core/errors.ts';
import type { JsonObject } from '../../platform/core/text/json.ts';
import { nearest } from '../../platform/core/text/nearest.ts';
import { type DuetInput, duetbenchSchema, duetSchema, sideSchema } from './duet-schema.ts';

/** One mapping of the file: duetbench, a duet, or one of its sides. */
export interface Block extends Place {
  readonly raw: JsonObject;
  /** What was understood of it. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly problems: readonly Problem[];
}

const SCHEMAS = { duetbench: duetbenchSchema, duet: duetSchema, side: sideSchema } as const;
type Level = keyof typeof SCHEMAS;

/** Where a mapping stands. */
interface Place {
  readonly definition: Definition;
  readonly path: readonly string[];
}

/** Checks a mapping key by key: a wrong one does not hide problems of the others. */
export function readBlock(level: Level, raw: JsonObject, { definition, path }: Place): Block {
  const known: Readonly<Record<string, z.ZodType>> = SCHEMAS[level].shape;
  const values: Record<string, unknown> = {};
  const unknown = Object.keys(raw)
    .filter((key) => !Object.hasOwn(known, key))
    .map((key) => unknownKey(level, [...path, key], definition));
  const wrong = Object.entries(known).flatMap(([key, field]) => {
    const result = field.safeParse(Object.hasOwn(raw, key) ? raw[key] : undefined);
    if (!result.success) return toProblems(result.error, { definition, path: [...path, key] }, () => []);
    values[key] = result.data;
    return [];
  });
  const problems = [...unknown, ...wrong, ...oddities(level, raw, { definition, path })];
  return { definition, path, raw, values, problems };
}

/** Keys that a side inherits from its duet, and a duet from duetbench. */
type InheritedKey = Exclude<keyof DuetInput, 'A' | 'B' | 'run'>;

/** What is found for an inherited key. */
interface Inherited<T> {
  /** Absent: nowhere, null, or of a wrong kind. */
  readonly value?: T;
  /** Where it stands; absent: nowhere. */
  readonly path?: readonly string[];
  /** Nowhere or null: the default holds. */
  readonly isMissing: boolean;
}

/** The innermost block that has the key decides, also with null; nothing is merged. */
export function inherit<K extends InheritedKey>(
  key: K,
  blocks: readonly Block[],
): Inherited<NonNullable<DuetInput[K]>> {
  const block = blocks.find(({ raw }) => Object.hasOwn(raw, key));
  if (!block) return { isMissing: true };
  const value = block.values[key] as DuetInput[K]; // all levels have the same field of that name
  const isMissing = block.raw[key] === null;
  const path = [...block.path, key];
  return value === null || value === undefined ? { path, isMissing } : { value, path, isMissing };
}

/** A key that is needed and stands nowhere, or is null where it stands. */
export function missingKey(
  key: InheritedKey,
  { definition, path }: Place,
  { found, hint }: { readonly found: readonly string[] | undefined; readonly hint: string },
): Problem {
  if (found !== undefined)
    return problemAt(definition, found, `${dotted(found)} is needed, found null`, { hint });
  const message = `${dotted(path)}: ${key} is missing, there and in the blocks around it`;
  return problemAt(definition, path, message, { hint, part: 'key' });
}

const PLACES: Readonly<Record<Level, string>> = {
  duetbench: 'duetbench',
  duet: 'the block of a duet',
  side: 'A or B of a duet',
};

function oddities(level: Level, raw: JsonObject, { definition, path }: Place): readonly Problem[] {
  const found: Problem[] = [];
  if (level !== 'side' && Object.hasOwn(raw, 'run')) {
    const at = [...path, 'run'];
    const message = `${dotted(at)} is not used: only run of A and B is`;
    found.push({ ...problemAt(definition, at, message, { part: 'key' }), severity: 'warning' });
  }
  if (level !== 'side' && Object.hasOwn(raw, 'order') && Object.hasOwn(raw, 'duet_order')) {
    const at = [...path, 'duet_order'];
    const message = `${dotted(at)} is another name for order, which is set too`;
    found.push(problemAt(definition, at, message, { hint: 'Remove one of the two.', part: 'key' }));
  }
  return found;
}

function unknownKey(level: Level, path: readonly string[], definition: Definition): Problem {
  const key = path.at(-1) ?? '';
  const elsewhere = (Object.keys(SCHEMAS) as Level[]).filter((other) =>
    Object.hasOwn(SCHEMAS[other].shape, key),
  );
  const known = Object.keys(SCHEMAS[level].shape);
  const close = nearest(key, known);
  const hint =
    elsewhere.length > 0
      ? `It belongs to ${elsewhere.map((other) => PLACES[other]).join(', or to ')}.`
      : close === undefined
        ? `Known here: ${known.join(', ')}.`
        : `Did you mean "${close}"?`;
  return problemAt(definition, path, `${dotted(path)} is not a known key`, { hint, part: 'key' });
}
