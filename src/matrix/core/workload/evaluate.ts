import {
  bestValue,
  type Curve,
  curveFromJson,
  finalValue,
  normalizedArea,
} from '../../../charts/core/curves/curve.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import type { JsonValue } from '../../../platform/core/text/json.ts';
import { interquartileInterval, interquartileMean } from '../../../stats/means.ts';
import { mean, median, quantile } from '../../../stats/summary.ts';
import type { Expression, FunctionName, Operator } from './expression.ts';

export interface Scope {
  /** The value of a field, or of a setting where the name begins with "settings."; undefined: there is none. */
  lookup(name: string): JsonValue | undefined;
  /** Which end of a curve is its best. */
  readonly better: 'lower' | 'higher';
}

/** A number, or a list where an operand is a list. Throws a NightmarkError when it cannot be computed. */
export function evaluate(expression: Expression, scope: Scope): number | readonly number[] {
  const value = compute(expression, scope);
  if (typeof value === 'number') return finite(value);
  return numbers(value, 'the value of a KPI').map(finite);
}

type Operand = number | readonly number[] | readonly Curve[];

function compute(expression: Expression, scope: Scope): Operand {
  switch (expression.type) {
    case 'number':
      return expression.value;
    case 'name':
      return toOperand(expression.name, scope.lookup(expression.name));
    case 'negate':
      return combine('-', 0, compute(expression.of, scope));
    case 'binary':
      return combine(expression.operator, compute(expression.left, scope), compute(expression.right, scope));
    case 'call':
      return call(
        expression.name,
        expression.args.map((arg) => compute(arg, scope)),
        scope,
      );
  }
}

function toOperand(name: string, value: JsonValue | undefined): Operand {
  if (value === undefined || value === null) throw failure(`${name} has no value`);
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  const curve = curveFromJson(value);
  if (curve) return [curve];
  if (!Array.isArray(value)) throw failure(`${name} is not a number: ${JSON.stringify(value).slice(0, 60)}`);
  const parts = value.flatMap((each): readonly (number | Curve)[] => {
    const part = toOperand(name, each);
    return typeof part === 'number' ? [part] : part;
  });
  if (parts.every((part) => typeof part === 'number')) return parts;
  if (parts.every((part) => typeof part !== 'number')) return parts;
  throw failure(`${name} is a list of numbers and curves`);
}

const OPERATIONS: Readonly<Record<Operator, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => {
    if (b === 0) throw failure('it divides by 0');
    return a / b;
  },
};

/** A number is combined with each item of a list; two lists are combined in pairs. */
function combine(operator: Operator, left: Operand, right: Operand): Operand {
  const operation = OPERATIONS[operator];
  if (typeof left === 'number' && typeof right === 'number') return operation(left, right);
  const a = numbers(left, operator);
  const b = numbers(right, operator);
  if (typeof left === 'number') return b.map((value) => operation(left, value));
  if (typeof right === 'number') return a.map((value) => operation(value, right));
  if (a.length !== b.length) throw failure(`"${operator}" of lists of ${a.length} and ${b.length} values`);
  return a.map((value, at) => operation(value, b[at] as number)); // of the same length
}

function call(name: FunctionName, args: readonly Operand[], { better }: Scope): Operand {
  const [first = 0, second = 0] = args;
  switch (name) {
    case 'area':
      return ofCurves(name, first, normalizedArea);
    case 'final':
      return ofCurves(name, first, finalValue);
    case 'best':
      return ofCurves(name, first, (curve) => bestValue(curve, better));
    case 'abs':
      return typeof first === 'number' ? Math.abs(first) : numbers(first, name).map(Math.abs);
    case 'percentile':
      return quantile(some(name, first), (numbers(second, name)[0] as number) / 100);
    case 'count':
      return typeof first === 'number' ? 1 : first.length;
    default:
      return STATISTICS[name](some(name, ...args));
  }
}

const STATISTICS: Readonly<
  Record<
    Exclude<FunctionName, 'area' | 'final' | 'best' | 'abs' | 'percentile' | 'count'>,
    (values: readonly number[]) => number
  >
> = {
  min: (values) => values.reduce((a, b) => Math.min(a, b)),
  max: (values) => values.reduce((a, b) => Math.max(a, b)),
  sum: (values) => mean(values) * values.length,
  mean,
  median,
  first: (values) => values[0] as number, // there is one
  last: (values) => values.at(-1) as number,
  iqm: interquartileMean,
  iqm_low: (values) => interquartileInterval(values).low,
  iqm_high: (values) => interquartileInterval(values).high,
};

/** One curve gives a number, the curves of several seeds a list of them. */
function ofCurves(name: string, operand: Operand, measure: (curve: Curve) => number): Operand {
  if (typeof operand === 'number' || !operand.every(isCurve)) throw failure(`${name} needs a curve`);
  const [only] = operand;
  return operand.length === 1 && only ? measure(only) : operand.map(measure);
}

function isCurve(value: number | Curve): value is Curve {
  return typeof value !== 'number';
}

function some(name: string, ...operands: readonly Operand[]): readonly number[] {
  const values = operands.flatMap((operand) => numbers(operand, name));
  if (values.length === 0) throw failure(`${name} of no values`);
  return values;
}

function numbers(operand: Operand, where: string): readonly number[] {
  if (typeof operand === 'number') return [operand];
  if (operand.some(isCurve)) throw failure(`${where} needs numbers, not curves: use area, final or best`);
  return operand as readonly number[]; // none of them is a curve
}

function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw failure(`the result is ${value}`);
}

function failure(message: string): NightmarkError {
  return new NightmarkError('WORKLOAD_KPI', message);
}
