import { isJsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import { type ObjectShape, payloadShape, type Shape } from './payload-shape.ts';
import { numericPayloadTime, parsePayloadTime } from './read-payload.ts';
import type { Workload } from './workload.ts';

/** Why a document is refused. */
export interface PayloadProblem {
  /** Dotted path: kpis.tiny_memory.value. */
  readonly place: string;
  readonly message: string;
}

/** Makes the check of a workload's payloads, for many documents. It returns every problem; an empty list means valid. */
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
    report(at, value === null ? 'must not be null' : scalarProblem(value, shape, at.rule));
}

function checkObject(value: JsonValue, { fields, allowsMore }: ObjectShape, at: Check): void {
  if (!isJsonObject(value)) {
    report(at, mustBe('a mapping', value));
    return;
  }
  for (const [name, { shape, presence }] of Object.entries(fields)) {
    const field = Object.hasOwn(value, name) ? value[name] : undefined;
    if (field === undefined) report(inside(at, name), presence === 'required' ? 'is missing' : undefined);
    else if (field !== null || presence !== 'optional') check(field, shape, inside(at, name));
  }
  if (allowsMore) return;
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(fields, name)) report(inside(at, name), 'is not expected here');
  }
}

function checkList(value: JsonValue, item: Shape, at: Check): void {
  if (!Array.isArray(value)) report(at, mustBe('a list', value));
  else for (const [index, each] of value.entries()) check(each, item, inside(at, String(index)));
}

function checkMap(value: JsonValue, item: Shape, at: Check): void {
  if (!isJsonObject(value)) report(at, mustBe('a mapping', value));
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

function report({ place, problems }: Check, message: string | undefined): void {
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

/** `lenient` takes what the old stores take: "12.5" and true as numbers, 4.7 as an integer, 4 as a text. */
export type NumberRule = 'lenient' | 'strict';

function fitsText(value: JsonValue, rule: NumberRule): boolean {
  return typeof value === 'string' || (rule === 'lenient' && isNumberOrBoolean(value));
}

function fitsNumber(value: JsonValue, rule: NumberRule): boolean {
  if (typeof value === 'number') return true;
  if (rule === 'strict') return false;
  return typeof value === 'boolean' || (typeof value === 'string' && NUMBER_TEXT.test(value));
}

function fitsInteger(value: JsonValue, rule: NumberRule): boolean {
  if (typeof value === 'number')
    return Number.isInteger(value) || (rule === 'lenient' && Number.isFinite(value));
  if (rule === 'strict') return false;
  return typeof value === 'boolean' || (typeof value === 'string' && INTEGER_TEXT.test(value));
}

function fitsBoolean(value: JsonValue, rule: NumberRule): boolean {
  if (typeof value === 'boolean') return true;
  if (rule === 'strict') return false;
  return value === 0 || value === 1 || (typeof value === 'string' && BOOLEAN_TEXT.test(value));
}

function fitsTime(value: JsonValue, rule: NumberRule): boolean {
  if (typeof value === 'string' && parsePayloadTime(value) !== undefined) return true;
  if (rule === 'strict') return false;
  const number = typeof value === 'string' && NUMBER_TEXT.test(value) ? Number(value) : value;
  return typeof number === 'number' && numericPayloadTime(number) !== undefined;
}

/** With or without dashes, braces or "urn:uuid:". */
function isUuid(value: JsonValue): value is string {
  return typeof value === 'string' && /^[0-9a-f]{32}$/i.test(bareUuid(value));
}

/** Of the random kind, with the variant that makes the version mean something (RFC 9562, 4.1 and 4.2). */
function isUuid4(value: string): boolean {
  return /^.{12}4.{3}[89ab]/i.test(bareUuid(value));
}

const DIGITS = '\\d+(?:_\\d+)*';
const INTEGER_TEXT = new RegExp(`^\\s*[+-]?${DIGITS}\\s*$`);
const NUMBER_TEXT = new RegExp(
  `^\\s*[+-]?(?:(?:${DIGITS}\\.?(?:${DIGITS})?|\\.${DIGITS})(?:e[+-]?${DIGITS})?|inf(?:inity)?|nan)\\s*$`,
  'i',
);
const BOOLEAN_TEXT = /^(?:0|1|on|off|t|f|true|false|y|n|yes|no)$/i;

function bareUuid(text: string): string {
  return text.replace('urn:', '').replace('uuid:', '').replace(/[{}]/g, '').replaceAll('-', '');
}

function isNumberOrBoolean(value: JsonValue): boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}
