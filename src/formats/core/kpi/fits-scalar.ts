import type { JsonValue } from '../../../platform/core/text/json.ts';
import { numericPayloadTime, parsePayloadTime } from './payload-time.ts';

/** `lenient` takes what the old stores take: "12.5" and true as numbers, 4.7 as an integer, 4 as a text. */
export type NumberRule = 'lenient' | 'strict';

export function fitsText(value: JsonValue, rule: NumberRule): boolean {
  return typeof value === 'string' || (rule === 'lenient' && isNumberOrBoolean(value));
}

export function fitsNumber(value: JsonValue, rule: NumberRule): boolean {
  if (typeof value === 'number') return true;
  if (rule === 'strict') return false;
  return typeof value === 'boolean' || (typeof value === 'string' && NUMBER_TEXT.test(value));
}

export function fitsInteger(value: JsonValue, rule: NumberRule): boolean {
  if (typeof value === 'number')
    return Number.isInteger(value) || (rule === 'lenient' && Number.isFinite(value));
  if (rule === 'strict') return false;
  return typeof value === 'boolean' || (typeof value === 'string' && INTEGER_TEXT.test(value));
}

export function fitsBoolean(value: JsonValue, rule: NumberRule): boolean {
  if (typeof value === 'boolean') return true;
  if (rule === 'strict') return false;
  return value === 0 || value === 1 || (typeof value === 'string' && BOOLEAN_TEXT.test(value));
}

export function fitsTime(value: JsonValue, rule: NumberRule): boolean {
  if (typeof value === 'string' && parsePayloadTime(value) !== undefined) return true;
  if (rule === 'strict') return false;
  const number = typeof value === 'string' && NUMBER_TEXT.test(value) ? Number(value) : value;
  return typeof number === 'number' && numericPayloadTime(number) !== undefined;
}

/** With or without dashes, braces or "urn:uuid:". */
export function isUuid(value: JsonValue): value is string {
  return typeof value === 'string' && /^[0-9a-f]{32}$/i.test(bareUuid(value));
}

/** Of the random kind, with the variant that makes the version mean something (RFC 9562, 4.1 and 4.2). */
export function isUuid4(value: string): boolean {
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
