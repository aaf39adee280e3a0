import type { HomeCheck } from '../../home/config/check-home.ts';
import type { Definitions, TaskDefinition } from '../../home/config/home-inspection.ts';
import { type CliContext, EXIT, type ExitCode } from '../../platform/cli/command.ts';
import { type Definition, valueAt } from '../../platform/config/definition.ts';
import type { Position } from '../../platform/config/yaml-positions.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { JsonValue } from '../../platform/core/text/json.ts';
import { nearest } from '../../platform/core/text/nearest.ts';
import { type Dialect, type Field, fieldsOf } from '../config/definition-fields.ts';

/** Explains a key and, with a home, its value there and where it comes from. */
export function explain(
  key: string,
  check: HomeCheck | undefined,
  { context, json }: { readonly context: CliContext; readonly json: boolean },
): ExitCode {
  const dialects: readonly Dialect[] = check?.reading
    ? [check.reading.home.dialect]
    : ['native', 'dashboard'];
  const explanations = explainKey(key, dialects, check?.definitions);
  if (explanations.length === 0) {
    const close = nearestKey(key, dialects);
    throw new NightmarkError('CLI_UNKNOWN_KEY', `There is no key ${JSON.stringify(key)}.`, {
      hint: close === undefined ? 'docs/reference lists all keys.' : `Did you mean "${close}"?`,
    });
  }
  context.stdout.write(
    json
      ? `${JSON.stringify({ key, explanations }, null, 2)}\n`
      : explanations.map((explanation) => describe(explanation)).join('\n'),
  );
  return EXIT.fine;
}

const FILES = {
  native: {
    top: 'nightmark.yml',
    experiment: 'nightmark.yml, experiments.*',
    subsystem: 'nightmark.yml, tasks.*',
  },
  dashboard: {
    top: 'config.json',
    experiment: 'config/experiments/*/config.json',
    subsystem: 'config/subsystem/*/config.json',
  },
} as const;

function describe({ key, scope, dialect, type, description, values, ...rest }: Explanation): string {
  const fallback = rest.default === undefined ? '' : `; default: ${rest.default}`;
  const lines = [
    `${key}  (${FILES[dialect][scope]})`,
    `  ${description}`,
    `  type: ${type}${rest.isMandatory ? '; mandatory' : fallback}`,
    ...values.map((value) => `  ${describeValue(value)}`),
  ];
  return `${lines.join('\n')}\n`;
}

function describeValue({ task, value, origin, file, line, column }: ValueOrigin): string {
  const name = task === undefined ? 'here' : JSON.stringify(task).slice(1, -1);
  const text = value === undefined ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value);
  const place = file === undefined ? '' : ` at ${file}:${line ?? 1}:${column ?? 1}`;
  const why = { written: 'written', common: 'from the values for all tasks', default: 'by default' }[origin];
  return `${name}: ${text}  (${why}${place})`;
}

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
function explainKey(
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
function nearestKey(key: string, dialects: readonly Dialect[]): string | undefined {
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
