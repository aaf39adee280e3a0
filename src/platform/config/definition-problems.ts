import type { z } from 'zod';
import { NightmarkError, type Problem } from '../core/errors.ts';
import type { JsonValue } from '../core/text/json.ts';
import { nearest } from '../core/text/nearest.ts';
import { type Definition, valueAt } from './definition.ts';

export interface Place {
  readonly definition: Definition;
  /** Where in the definition the checked value stands. */
  readonly path: readonly PropertyKey[];
}

/** Blocks that the definition files will have; using them must not look like a typing mistake. */
const LATER = new Set(['matrix', 'duet', 'duets', 'kpis', 'x', 'y', 'samples']);

/** Turns what the schema found into problems with place, expectation and value. */
export function toProblems(error: z.ZodError, { definition, path }: Place, known: KnownKeys): Problem[] {
  return error.issues.flatMap(unfolded).flatMap((issue) => {
    const full = [...path, ...issue.path];
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => unknownKey(key, full, definition, known(issue.path)));
    }
    const name = full.length === 0 ? 'the file' : dotted(full);
    const found = namesVariable(full) ? 'another text' : describeValue(valueAt(definition.value, full));
    return [problemAt(definition, full, `${name}: expected ${expectation(issue)}, found ${found}`)];
  });
}

/** Where a variable is to be named people write its value by mistake, which is not for terminals and logs. */
function namesVariable(path: readonly PropertyKey[]): boolean {
  return String(path.at(-1)).endsWith('-env');
}

/** The keys that are known at a place below the checked value. */
export type KnownKeys = (path: readonly PropertyKey[]) => readonly string[];

/** An error at a path of a definition. */
export function problemAt(
  definition: Definition,
  path: readonly PropertyKey[],
  message: string,
  details: { readonly hint?: string | undefined; readonly part?: 'key' | 'value' } = {},
): Problem {
  return {
    severity: 'error',
    file: definition.file,
    ...definition.positionOf(path, details.part),
    message,
    ...(details.hint === undefined ? {} : { hint: details.hint }),
  };
}

/** experiments.sort.timeout; a name with unusual characters in quotes. */
export function dotted(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      const text = /^[\w-]+$/.test(String(step)) ? String(step) : JSON.stringify(String(step));
      return index === 0 ? text : `.${text}`;
    })
    .join('');
}

/** A value as it may stand in a message: one line, not too long. */
export function describeValue(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  // A password in front of a host is not for terminals and logs.
  const text = (JSON.stringify(value) ?? String(value)).replace(/(:\/\/)[^/\s@"]+@/g, '$1***@');
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** Where one alternative of a choice fits but for something inside of it, that is the problem to report. */
function unfolded(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const near = issue.errors.filter((inner) =>
    inner.every(({ code, path }) => code === 'unrecognized_keys' || path.length > 0),
  );
  const [inner] = near;
  if (!inner || near.length > 1) return [issue];
  return inner.flatMap((deep) => unfolded({ ...deep, path: [...issue.path, ...deep.path] }));
}

function unknownKey(
  key: string,
  path: readonly PropertyKey[],
  definition: Definition,
  known: readonly string[],
): Problem {
  const full = [...path, key];
  if (LATER.has(key)) {
    const hint = `Remove it; everything else of the file works without it.`;
    return problemAt(definition, full, `${dotted(full)} is not supported yet by this version`, {
      hint,
      part: 'key',
    });
  }
  const close = nearest(key, known);
  const hint = close === undefined ? `Known here: ${known.join(', ')}.` : `Did you mean "${close}"?`;
  return problemAt(definition, full, `${dotted(full)} is not a known key`, { hint, part: 'key' });
}

const NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping of keys to values',
  record: 'a mapping of names to values',
};

/** Our own messages (those of `error:` and of custom checks) are expectations already. */
function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.startsWith('Invalid input')
        ? (NAMES[issue.expected] ?? issue.expected)
        : issue.message;
    case 'invalid_value':
      return `one of ${issue.values.map((value) => String(value)).join(', ')}`;
    case 'too_small':
      return `${article(issue.origin)} of at least ${issue.minimum}`;
    case 'too_big':
      return `${article(issue.origin)} of at most ${issue.maximum}`;
    default:
      return issue.message;
  }
}

function article(origin: string): string {
  return NAMES[origin] ?? `a ${origin}`;
}

/** file:line:column: message, as editors and terminals know it. */
function problemLine({ file, line, column, message }: Problem): string {
  const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`;
  return `${place}: ${message}`;
}

/** An error with its problems one by one, for those who show them so. */
export class DefinitionError extends NightmarkError {
  readonly problems: readonly Problem[];

  constructor(
    code: string,
    message: string,
    { hint, problems }: { hint: string; problems: readonly Problem[] },
  ) {
    super(code, message, { hint });
    this.problems = problems;
  }
}

/** One error out of many problems: all of them, so that none has to be found by trying again. */
export function toError(code: string, problems: readonly Problem[]): DefinitionError {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  const message =
    errors.length === 1 && first
      ? problemLine(first)
      : `The definition has ${errors.length} problems:\n${errors.map(problemLine).join('\n')}`;
  const hint = first?.hint ?? 'nightmark check shows all problems of a home or a file.';
  return new DefinitionError(code, message, { hint, problems });
}
