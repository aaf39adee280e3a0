import type { Workload } from '../ports/workload.ts';
import { isJsonObject, type JsonValue } from '../text/json.ts';
import {
  fitsBoolean,
  fitsInteger,
  fitsNumber,
  fitsText,
  fitsTime,
  isUuid,
  isUuid4,
  type NumberRule,
} from './fits-scalar.ts';
import { type ObjectShape, payloadShape, type Shape } from './payload-shape.ts';

/** Why a document is refused. */
export interface PayloadProblem {
  /** Dotted path: kpis.tiny_memory.value. */
  readonly place: string;
  readonly message: string;
}

/** Makes the check of a workload's payloads, for many documents. It tells everything that is wrong; nothing: stored. */
export function payloadCheck(
  workload: Workload,
  rule: NumberRule = 'lenient',
): (document: JsonValue) => readonly PayloadProblem[] {
  const shape = payloadShape(workload);
  return (document) => {
    const problems: PayloadProblem[] = [];
    check(document, shape, { place: '', rule, problems });
    return problems;
  };
}

interface Check {
  readonly place: string;
  readonly rule: NumberRule;
  readonly problems: PayloadProblem[];
}

function check(value: JsonValue, shape: Shape, at: Check): void {
  switch (shape.type) {
    case 'object':
      return checkObject(value, shape, at);
    case 'list':
      if (!Array.isArray(value)) return tell(at, `must be a list, is ${shown(value)}`);
      for (const [index, item] of value.entries()) check(item, shape.of, inside(at, String(index)));
      return;
    case 'map':
      if (!isJsonObject(value)) return tell(at, `must be a mapping, is ${shown(value)}`);
      for (const [key, item] of Object.entries(value)) check(item, shape.of, inside(at, key));
      return;
    case 'any':
      return;
    default:
      if (value === null) return tell(at, 'must not be null');
      return checkScalar(value, shape, at);
  }
}

function checkObject(value: JsonValue, { fields, allowsMore }: ObjectShape, at: Check): void {
  if (!isJsonObject(value)) return tell(at, `must be a mapping, is ${shown(value)}`);
  for (const [name, { shape, presence }] of Object.entries(fields)) {
    const field = Object.hasOwn(value, name) ? value[name] : undefined;
    if (field === undefined) {
      if (presence === 'required') tell(inside(at, name), 'is missing');
    } else if (field !== null || presence !== 'optional') check(field, shape, inside(at, name));
  }
  if (allowsMore) return;
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(fields, name)) tell(inside(at, name), 'is not expected here');
  }
}

type Scalar = Exclude<Shape, { readonly type: 'object' | 'list' | 'map' }>;

function checkScalar(value: JsonValue, { type, pattern }: Scalar, at: Check): void {
  const { rule } = at;
  switch (type) {
    case 'text':
      if (!fitsText(value, rule)) return tell(at, `must be a text, is ${shown(value)}`);
      if (pattern !== undefined && !new RegExp(pattern).test(String(value)))
        tell(at, `must be a version such as 1.2.0 or 1.2.0-rc1+build, is ${shown(value)}`);
      return;
    case 'number':
      return expect(fitsNumber(value, rule), 'a number', value, at);
    case 'integer':
      return expect(fitsInteger(value, rule), 'a whole number', value, at);
    case 'boolean':
      return expect(fitsBoolean(value, rule), 'true or false', value, at);
    case 'time':
      return expect(fitsTime(value, rule), 'a time such as 2024-09-02T10:00:00Z', value, at);
    case 'status':
      return expect(value === 'Valid' || value === 'Invalid', '"Valid" or "Invalid"', value, at);
    case 'uuid4':
      return expect(isUuid(value) && isUuid4(value), 'a UUID of version 4', value, at);
    case 'value':
      if (!Array.isArray(value))
        return expect(fitsNumber(value, rule), 'a number or a list of numbers', value, at);
      for (const [index, item] of value.entries()) {
        expect(fitsNumber(item, rule), 'a number', item, inside(at, String(index)));
      }
  }
}

function expect(isFine: boolean, wanted: string, value: JsonValue, at: Check): void {
  if (!isFine) tell(at, `must be ${wanted}, is ${shown(value)}`);
}

function inside(at: Check, name: string): Check {
  return { ...at, place: at.place === '' ? name : `${at.place}.${name}` };
}

function tell({ place, problems }: Check, message: string): void {
  problems.push({ place, message });
}

const MAX_SHOWN = 60;

function shown(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
}
