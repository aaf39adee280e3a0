import { isJsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
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
import type { Workload } from './workload.ts';

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
  if (shape.type === 'object') checkObject(value, shape, at);
  else if (shape.type === 'list') checkList(value, shape.of, at);
  else if (shape.type === 'map') checkMap(value, shape.of, at);
  else if (shape.type === 'value' && Array.isArray(value)) checkList(value, { type: 'number' }, at);
  else if (shape.type !== 'any')
    tell(at, value === null ? 'must not be null' : scalarProblem(value, shape, at.rule));
}

function checkObject(value: JsonValue, { fields, allowsMore }: ObjectShape, at: Check): void {
  if (!isJsonObject(value)) {
    tell(at, mustBe('a mapping', value));
    return;
  }
  for (const [name, { shape, presence }] of Object.entries(fields)) {
    const field = Object.hasOwn(value, name) ? value[name] : undefined;
    if (field === undefined) tell(inside(at, name), presence === 'required' ? 'is missing' : undefined);
    else if (field !== null || presence !== 'optional') check(field, shape, inside(at, name));
  }
  if (allowsMore) return;
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(fields, name)) tell(inside(at, name), 'is not expected here');
  }
}

function checkList(value: JsonValue, item: Shape, at: Check): void {
  if (!Array.isArray(value)) tell(at, mustBe('a list', value));
  else for (const [index, each] of value.entries()) check(each, item, inside(at, String(index)));
}

function checkMap(value: JsonValue, item: Shape, at: Check): void {
  if (!isJsonObject(value)) tell(at, mustBe('a mapping', value));
  else for (const [key, each] of Object.entries(value)) check(each, item, inside(at, key));
}

type Scalar = Exclude<Shape, { readonly type: 'object' | 'list' | 'map' }>;

function scalarProblem(value: JsonValue, { type, pattern }: Scalar, rule: NumberRule): string | undefined {
  switch (type) {
    case 'text':
      if (!fitsText(value, rule)) return mustBe('a text', value);
      if (pattern === undefined || new RegExp(pattern).test(String(value))) return undefined;
      return mustBe('a version such as 1.2.0 or 1.2.0-rc1+build', value);
    case 'number':
      return fitsNumber(value, rule) ? undefined : mustBe('a number', value);
    case 'integer':
      return fitsInteger(value, rule) ? undefined : mustBe('a whole number', value);
    case 'boolean':
      return fitsBoolean(value, rule) ? undefined : mustBe('true or false', value);
    case 'time':
      return fitsTime(value, rule) ? undefined : mustBe('a time such as 2024-09-02T10:00:00Z', value);
    case 'status':
      return value === 'Valid' || value === 'Invalid' ? undefined : mustBe('"Valid" or "Invalid"', value);
    case 'uuid4':
      return isUuid(value) && isUuid4(value) ? undefined : mustBe('a UUID of version 4', value);
    case 'value':
      return fitsNumber(value, rule) ? undefined : mustBe('a number or a list of numbers', value);
    case 'any':
      return undefined;
  }
}

function inside(at: Check, name: string): Check {
  return { ...at, place: at.place === '' ? name : `${at.place}.${name}` };
}

function tell({ place, problems }: Check, message: string | undefined): void {
  if (message !== undefined) problems.push({ place, message });
}

function mustBe(wanted: string, value: JsonValue): string {
  return `must be ${wanted}, is ${shown(value)}`;
}

const MAX_SHOWN = 60;

function shown(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
}
