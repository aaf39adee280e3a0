import type { KpiDefinition } from '../../../formats/core/kpi/kpi.ts';
import type { Definition } from '../../../platform/config/definition.ts';
import { describeValue, dotted, problemAt } from '../../../platform/config/definition-problems.ts';
import { NightmarkError, type Problem } from '../../../platform/core/errors.ts';
import { formatTemplate } from '../../../platform/core/python/python-format.ts';
import { nearest } from '../../../platform/core/text/nearest.ts';
import { namesIn, parseExpression } from '../../core/workload/expression.ts';
import type { KpiRule } from '../../core/workload/workload-definition.ts';
import type { KpiInput } from './workload-schema.ts';

export interface KpiPlace {
  readonly definition: Definition;
  /** Names of all fields. */
  readonly fields: readonly string[];
}

/** Reads one KPI with its formula, and checks now what would otherwise fail when it is computed or formatted. */
export function readKpi(
  name: string,
  input: KpiInput,
  { definition, fields }: KpiPlace,
): { readonly rule?: KpiRule; readonly problems: readonly Problem[] } {
  const path = ['kpis', name];
  const formula = input.value ?? name;
  const at = input.value === undefined ? path : [...path, 'value'];
  const problems = [...checkWriting(path, input, definition), ...checkDirection(path, input, definition)];
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    const hint = 'Letters, digits and "_": it becomes the name of a metric.';
    problems.push(
      problemAt(definition, path, `${dotted(path)} cannot be the name of a KPI`, { part: 'key', hint }),
    );
  }
  const expression = parseExpression(formula);
  if (!expression.ok) {
    const message = `${dotted(at)}: expected ${expression.error}, found ${describeValue(formula)}`;
    return { problems: [...problems, problemAt(definition, at, message)] };
  }
  for (const used of new Set(namesIn(expression.value))) {
    const problem = unknownField(used, at, { definition, fields });
    if (problem) problems.push(problem);
  }
  return { rule: { definition: toDefinition(name, input), expression: expression.value }, problems };
}

/** The problem of an unknown field, with the nearest name; undefined when the field exists. */
export function unknownField(
  name: string,
  path: readonly PropertyKey[],
  { definition, fields }: KpiPlace,
): Problem | undefined {
  const [first = ''] = name.split('.');
  if (first === 'settings' || fields.includes(first)) return undefined;
  const close = nearest(first, fields);
  const existing = fields.length === 0 ? 'There are none.' : `There are: ${fields.join(', ')}.`;
  return problemAt(definition, path, `${dotted(path)}: there is no field ${JSON.stringify(first)}`, {
    hint: close === undefined ? `Add it under "fields:". ${existing}` : `Did you mean "${close}"?`,
  });
}

/** A divisor changes only the formatted value: without a format it has no effect, without a unit it misleads. */
function checkWriting(path: readonly string[], input: KpiInput, definition: Definition): Problem[] {
  const { format, 'full-format': fullFormat, divisor, 'divisor-unit': unit } = input;
  const problems: Problem[] = [];
  const add = (key: string, message: string, hint: string) =>
    problems.push(
      problemAt(definition, [...path, key], `${dotted([...path, key])} ${message}`, { hint, part: 'key' }),
    );
  if (divisor !== undefined && format === undefined && fullFormat === undefined) {
    add('divisor', 'needs a format', 'Add for example format: "{:.1f}".');
  }
  if (divisor !== undefined && unit === undefined) {
    add(
      'divisor',
      'needs a divisor-unit',
      'Add the unit of the divided value, for example divisor-unit: GB.',
    );
  }
  if (divisor === undefined && unit !== undefined) {
    add('divisor-unit', 'needs a divisor', 'Add for example divisor: 1024.');
  }
  if (format !== undefined && !/^[^{}]*\{(?::[^{}]*)?\}[^{}]*$/.test(format)) {
    add('format', 'has no place for the value', 'Write one, for example "{:.2f}".');
  } else if (format !== undefined) {
    const problem = formatProblem(format);
    if (problem) add('format', `cannot be used: ${problem.message}`, problem.hint ?? '');
  }
  if (format !== undefined && fullFormat !== undefined) {
    add('full-format', 'cannot be combined with format', 'Keep one of them.');
  }
  return problems;
}

/** A format that would fail with every value. */
function formatProblem(format: string): NightmarkError | undefined {
  try {
    formatTemplate(format, () => 1);
    return undefined;
  } catch (error) {
    if (error instanceof NightmarkError) return error;
    throw error;
  }
}

function checkDirection(path: readonly string[], input: KpiInput, definition: Definition): Problem[] {
  if (input.better !== undefined || input['ignored-for-regression'] === true) return [];
  const message = `${dotted(path)} has no direction`;
  const hint = 'Add better: lower or better: higher; or ignored-for-regression: true.';
  return [{ ...problemAt(definition, path, message, { hint, part: 'key' }), severity: 'warning' }];
}

function toDefinition(name: string, input: KpiInput): KpiDefinition {
  const { help, unit, better = 'unknown', format, 'full-format': fullFormat, divisor } = input;
  const divisorUnit = input['divisor-unit'];
  return {
    name,
    help,
    unit,
    better,
    isIgnoredForRegression: input['ignored-for-regression'] ?? false,
    ...(format === undefined ? {} : { format }),
    ...(fullFormat === undefined ? {} : { fullFormat }),
    ...(divisor === undefined ? {} : { divisor }),
    ...(divisorUnit === undefined ? {} : { divisorUnit }),
  };
}
