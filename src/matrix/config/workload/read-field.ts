import type { Definition } from '../../../platform/config/definition.ts';
import { describeValue, dotted, problemAt } from '../../../platform/config/definition-problems.ts';
import { NightmarkError, type Problem } from '../../../platform/core/errors.ts';
import { compilePattern } from '../../../platform/core/patterns/pattern.ts';
import type { JsonValue } from '../../../platform/core/text/json.ts';
import { parseJsonPath } from '../../core/workload/json-path.ts';
import type { FieldDefinition, FieldSource, ValueType } from '../../core/workload/workload-definition.ts';
import type { FieldInput } from './workload-schema.ts';

export interface FieldReading {
  readonly field?: FieldDefinition;
  readonly problems: readonly Problem[];
}

/** Reads one field and its source. */
export function readField(name: string, input: FieldInput, definition: Definition): FieldReading {
  const path = ['fields', name];
  const sources = SOURCES.filter((key) => input[key] !== undefined);
  const [key] = sources;
  if (key === undefined || sources.length > 1) {
    const found = key === undefined ? 'none' : sources.join(' and ');
    const message = `${dotted(path)}: expected one of ${SOURCES.join(', ')}, found ${found}`;
    return { problems: [problemAt(definition, path, message, { part: 'key' })] };
  }
  const source = toSource(key, input);
  if ('expected' in source) {
    const at = [...path, key];
    const message = `${dotted(at)}: expected ${source.expected}, found ${describeValue(input[key])}`;
    return { problems: [problemAt(definition, at, message, { hint: source.hint })] };
  }
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    const message = `${dotted(path)} cannot be the name of a field`;
    const hint = 'Letters, digits and "_", since formulas use it.';
    return { problems: [problemAt(definition, path, message, { part: 'key', hint })] };
  }
  return { field: toField(name, input, source), problems: [] };
}

const SOURCES = ['json', 'yaml', 'regex', 'csv', 'text', 'number', 'curve'] as const;
type SourceKey = (typeof SOURCES)[number];

const DEFAULT_TYPES: Readonly<Partial<Record<SourceKey, ValueType>>> = {
  regex: 'number',
  csv: 'number',
  number: 'number',
  text: 'text',
};

function toField(name: string, input: FieldInput, source: FieldSource): FieldDefinition {
  const { file, artifact, type = DEFAULT_TYPES[source.type] ?? 'any', unit, reduce } = input;
  return {
    name,
    file,
    ...(artifact === undefined ? {} : { artifact }),
    source,
    type: source.type === 'curve' ? 'any' : type,
    ...(unit === undefined ? {} : { unit }),
    ...(reduce === undefined ? curveReducer(source) : { reduce }),
    ...(input.default === undefined ? {} : { default: input.default as JsonValue }), // it was read from YAML
  };
}

/** Several files have the curves of several seeds: all of them count. */
function curveReducer({ type }: FieldSource): Pick<FieldDefinition, 'reduce'> {
  return type === 'curve' ? { reduce: 'list' } : {};
}

interface Mistake {
  readonly expected: string;
  readonly hint?: string | undefined;
}

function toSource(key: SourceKey, input: FieldInput): FieldSource | Mistake {
  switch (key) {
    case 'json':
    case 'yaml': {
      const path = parseJsonPath(input[key] ?? '');
      return path.ok ? { type: key, path: path.value } : { expected: path.error };
    }
    case 'regex':
      return toPattern(input.regex ?? '');
    case 'csv':
      return { type: 'csv', column: input.csv ?? '' };
    case 'curve':
      return { type: 'curve', x: input.curve?.x ?? '', y: input.curve?.y ?? '' };
    default:
      return { type: key };
  }
}

function toPattern(text: string): FieldSource | Mistake {
  try {
    return { type: 'regex', pattern: compilePattern(text) };
  } catch (error) {
    if (!(error instanceof NightmarkError)) throw error;
    return { expected: `a regular expression (${error.message})`, hint: error.hint };
  }
}
