import { dotted, problemAt } from '../../../platform/config/definition-problems.ts';
import type { Problem } from '../../../platform/core/errors.ts';
import type { JsonValue } from '../../../platform/core/text/json.ts';
import type { ValueDefinition } from '../../core/workload/definition.ts';
import type { ValueInput } from './field-schema.ts';
import { type KpiPlace, unknownField } from './read-kpi.ts';

/** Labels or metadata: each from a setting, a field, or written down. */
export function readValues(
  block: 'labels' | 'metadata',
  inputs: Readonly<Record<string, ValueInput>>,
  place: KpiPlace,
): { readonly values: readonly ValueDefinition[]; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const values = Object.entries(inputs).map(([name, input]) => {
    const at = [block, name];
    const given = SOURCES.filter((key) => input?.[key] !== undefined);
    if (given.length > 1) {
      const message = `${dotted(at)}: expected one of setting, field and value, found ${given.join(' and ')}`;
      problems.push(problemAt(place.definition, at, message, { part: 'key' }));
    }
    if (input?.field !== undefined) {
      const problem = unknownField(input.field, [...at, 'field'], place);
      if (problem) problems.push(problem);
    }
    return toValue(name, input);
  });
  return { values, problems };
}

const SOURCES = ['setting', 'field', 'value'] as const;

function toValue(name: string, input: ValueInput): ValueDefinition {
  const usual = input?.default === undefined ? {} : { default: input.default as JsonValue }; // read from YAML
  return { name, from: originOf(name, input), fieldType: input?.type ?? 'any', ...usual };
}

function originOf(name: string, input: ValueInput): ValueDefinition['from'] {
  if (input?.value !== undefined) return { type: 'value', value: input.value as JsonValue }; // read from YAML
  if (input?.field !== undefined) return { type: 'field', name: input.field };
  return { type: 'setting', name: input?.setting ?? name };
}
