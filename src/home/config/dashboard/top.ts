import type { Definition } from '../../../platform/config/definition.ts';
import { problemAt, toProblems } from '../../../platform/config/definition-problems.ts';
import { keysAt } from '../../../platform/config/schema-walk.ts';
import type { Problem } from '../../../platform/core/errors.ts';
import { isJsonObject, type JsonObject } from '../../../platform/core/text/json.ts';
import { type TopInput, topSchema } from './schema.ts';

export interface TopReading {
  readonly input: TopInput;
  readonly problems: readonly Problem[];
  /** Why the home cannot be used; absent when it can. */
  readonly code?: 'CONFIG_FIELDS' | 'CONFIG_INVALID';
}

const MANDATORY = ['tmp_data_dir', 'backup_dir', 'setup_dir'] as const;

/** The top file. Where it is bad the rest of it is still read, so that tasks can be checked too. */
export function readTop(definition: Definition): TopReading {
  const value = isJsonObject(definition.value) ? definition.value : {};
  const missing = MANDATORY.filter((field) => !Object.hasOwn(value, field));
  const result = topSchema.safeParse(definition.value);
  if (result.success) return { input: result.data, problems: [] };

  const issues = toProblems(result.error, { definition, path: [] }, (path) => keysAt(topSchema, path));
  const others = issues.filter(({ message }) => !missing.some((field) => message.startsWith(`${field}:`)));
  const problems = missing.length === 0 ? others : [missingFields(definition, missing), ...others];
  const bad = new Set(result.error.issues.map(({ path }) => path[0]));
  return {
    input: repaired(value, bad),
    problems,
    code: missing.length > 0 ? 'CONFIG_FIELDS' : 'CONFIG_INVALID',
  };
}

function missingFields(definition: Definition, missing: readonly string[]): Problem {
  const noun = missing.length === 1 ? 'mandatory field is' : 'mandatory fields are';
  return problemAt(definition, [], `${missing.length} ${noun} missing: ${missing.join(', ')}`, {
    hint: `Add for example "${missing[0]}": "~/nightmark/${missing[0]?.replace('_dir', '')}".`,
  });
}

function repaired(value: JsonObject, bad: ReadonlySet<PropertyKey | undefined>): TopInput {
  const good = Object.fromEntries(Object.entries(value).filter(([key]) => !bad.has(key)));
  return topSchema.parse({ tmp_data_dir: 'tmp', backup_dir: 'backup', setup_dir: 'setup', ...good });
}
