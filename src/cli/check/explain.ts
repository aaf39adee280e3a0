import type { Definitions, TaskDefinition } from '../../home/config/home-inspection.ts';
import { type Definition, valueAt } from '../../platform/config/definition.ts';
import type { Position } from '../../platform/config/yaml-positions.ts';
import type { JsonValue } from '../../platform/core/text/json.ts';
import { nearest } from '../../platform/core/text/nearest.ts';
import { type Dialect, type Field, fieldsOf } from '../config/fields-of.ts';

/** A key, and what its value is in a home. */
export interface Explanation extends Field {
  readonly dialect: Dialect;
  readonly values: readonly ValueOrigin[];
}

export interface ValueOrigin extends Position {
  /** The experiment or subsystem; absent for a key of the home. */
  readonly task?: string;
  /** As it is written; absent where nothing was and there is no default. */
  readonly value?: JsonValue;
  /** written: for this task or home; common: for all tasks; default: nowhere. */
  readonly origin: 'written' | 'common' | 'default';
  readonly file?: string;
}

/** The keys that are meant: by whole path (experiments.sort.timeout), or by their last part (timeout). */
export function explainKey(
  key: string,
  dialects: readonly Dialect[],
  definitions?: Definitions,
): readonly Explanation[] {
  return dialects.flatMap((dialect) => {
    const fields = fieldsOf(dialect);
    const exact = fields.filter((field) => spellings(field, dialect).some((path) => matches(path, key)));
    const found = exact.length > 0 ? exact : fields.filter((field) => field.key.split('.').at(-1) === key);
    const task = key.match(/^(?:experiments|tasks|subsystem)\.([^.]+)/)?.[1];
    return found.map((field) => {
      const all = definitions ? valuesOf(field, dialect, definitions) : [];
      const values = task === undefined || task === '*' ? all : all.filter((value) => value.task === task);
      return { ...field, dialect, values };
    });
  });
}

/** The key that was probably meant. */
export function nearestKey(key: string, dialects: readonly Dialect[]): string | undefined {
  const last = key.split('.').at(-1) ?? key;
  const known = dialects.flatMap((dialect) =>
    fieldsOf(dialect).map((field) => field.key.split('.').at(-1) ?? ''),
  );
  return nearest(last, new Set(known));
}

const BLOCKS = {
  native: { top: '', experiment: 'experiments.*.', subsystem: 'tasks.*.' },
  dashboard: { top: '', experiment: 'experiments.*.', subsystem: 'subsystem.*.' },
} as const;

function spellings({ scope, key }: Field, dialect: Dialect): readonly string[] {
  return [`${BLOCKS[dialect][scope]}${key}`, key];
}

function matches(pattern: string, key: string): boolean {
  const [wanted, given] = [pattern.split('.'), key.split('.')];
  return (
    wanted.length === given.length && wanted.every((part, index) => part === '*' || part === given[index])
  );
}

function valuesOf(field: Field, dialect: Dialect, { top, tasks }: Definitions): readonly ValueOrigin[] {
  const steps = field.key.split('.');
  if (steps.includes('*')) return [];
  if (field.scope === 'top') return [found(top, steps, 'written') ?? fallback(field)];
  const commonKey = dialect === 'native' ? `defaults.${field.key}` : field.key;
  const common =
    found(top, commonKey.split('.'), 'common') ??
    fallback(field.default === undefined ? (topField(dialect, commonKey) ?? field) : field);
  return tasks
    .filter(({ task }) => task.kind === field.scope)
    .map((place) => ({ task: place.task.name, ...(ownValue(place, steps) ?? common) }));
}

function topField(dialect: Dialect, key: string): Field | undefined {
  return fieldsOf(dialect).find((field) => field.scope === 'top' && field.key === key);
}

function ownValue({ definition, path }: TaskDefinition, steps: readonly string[]): ValueOrigin | undefined {
  if (!definition) return undefined;
  const isShort = steps[0] === 'run' && typeof valueAt(definition.value, path) === 'string';
  return found(definition, isShort ? path : [...path, ...steps], 'written');
}

function found(
  definition: Definition,
  path: readonly PropertyKey[],
  origin: ValueOrigin['origin'],
): ValueOrigin | undefined {
  const value = valueAt(definition.value, path);
  if (value === undefined) return undefined;
  return { value, origin, file: definition.file, ...definition.positionOf(path) };
}

function fallback(field: Field): ValueOrigin {
  return { origin: 'default', ...(field.default === undefined ? {} : { value: field.default }) };
}
