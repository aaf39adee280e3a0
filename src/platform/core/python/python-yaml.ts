import { isJsonObject, type JsonObject, type JsonValue } from '../text/json.ts';
import { pythonFloat } from './python-values.ts';

/**
 * YAML as Python's yaml.dump writes it: readers compare settings.yaml, and the summary of an analysis, as text. Long texts stay on one line and texts of
 * several lines become one with escapes, which reads the same; a text that YAML 1.2 takes for a number is quoted too.
 */
export function pythonYaml(value: JsonValue): string {
  return isCollection(value) ? block(value, '') : `${scalar(value)}\n`;
}

/** settings.yaml: sorted by key; `texts` are values that are written in another way: numbers as they were written, and long texts. */
export function settingsYaml(settings: JsonObject, texts: Readonly<Record<string, string>> = {}): string {
  const keys = Object.keys(settings).sort();
  if (keys.length === 0) return '{}\n';
  const line = (key: string) => {
    const text = texts[key];
    return text === undefined ? field(key, sorted(settings[key] ?? null), '') : `${scalar(key)}: ${text}\n`;
  };
  return keys.map(line).join('');
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key] ?? null)]));
}

function block(value: JsonValue, indent: string): string {
  if (isJsonObject(value)) {
    return Object.entries(value)
      .map(([key, inner]) => indent + field(key, inner, indent))
      .join('');
  }
  return (value as readonly JsonValue[]).map((item) => `${indent}- ${entry(item, `${indent}  `)}`).join('');
}

/** Lists stand in the column of their key, mappings two further in. */
function field(key: string, value: JsonValue, indent: string): string {
  if (!isCollection(value)) return `${scalar(key)}: ${scalar(value)}\n`;
  return `${scalar(key)}:\n${block(value, Array.isArray(value) ? indent : `${indent}  `)}`;
}

/** What follows a dash begins on its line. */
function entry(item: JsonValue, indent: string): string {
  return isCollection(item) ? block(item, indent).slice(indent.length) : `${scalar(item)}\n`;
}

function isCollection(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function scalar(value: JsonValue): string {
  if (typeof value === 'string') return textScalar(value);
  if (typeof value === 'number') return numberScalar(value);
  if (Array.isArray(value)) return '[]';
  return isJsonObject(value) ? '{}' : String(value);
}

function numberScalar(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '.nan' : value < 0 ? '-.inf' : '.inf';
  if (Number.isSafeInteger(value)) return String(value);
  // Without a point YAML 1.1 has a text there.
  return pythonFloat(value).replace(/^(-?\d+)e/, '$1.0e');
}

/** What YAML 1.1 or 1.2 takes for something else than a text. */
const NOT_A_TEXT = [
  /^(?:~|null|Null|NULL|=|<<|)$/,
  /^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/,
  /^[-+]?(?:0b[01_]+|0o?[0-7_]+|0x[\da-fA-F_]+|[\d][\d_]*(?::[0-5]?\d)*)$/,
  /^[-+]?(?:\.\d[\d_]*|\d[\d_]*(?::[0-5]?\d)*(?:\.[\d_]*)?)(?:[eE][-+]?\d+)?$/,
  /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/,
  /^\d{4}-\d\d?-\d\d?(?:$|[Tt\s])/,
];
/** Characters and places that have a meaning of their own. */
const NOT_PLAIN = /^[\s#,[\]{}&*!|>'"%@`]|^[-?:](?:\s|$)|^(?:---|\.\.\.)|:(?:\s|$)|\s#|\s$/;

function textScalar(text: string): string {
  if (/[^\x20-\x7e]/.test(text)) return escaped(text);
  const isPlain = !NOT_PLAIN.test(text) && !NOT_A_TEXT.some((pattern) => pattern.test(text));
  return isPlain ? text : `'${text.replaceAll("'", "''")}'`;
}

const WIDTH = 80;

/** A text behind a key of so many characters, broken at the first single space beyond the width, as Python does it. */
export function foldedText(text: string, column: number): string {
  const words = textScalar(text).split(/( +)/);
  let written = '';
  let at = column;
  for (const [index, word] of words.entries()) {
    const isBreak = word === ' ' && at > WIDTH && words[index + 1] !== "'";
    written += isBreak ? '\n  ' : word;
    at = isBreak ? 2 : at + word.length;
  }
  return written;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\x1b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
  '\x85': '\\N',
  '\xa0': '\\_',
  '\u2028': '\\L',
  '\u2029': '\\P',
};

function escaped(text: string): string {
  const inner = text.replace(/[^\x20-\x7e]|["\\]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    const hex = code.toString(16).toUpperCase();
    if (code <= 0xff) return ESCAPES[character] ?? `\\x${hex.padStart(2, '0')}`;
    return (
      ESCAPES[character] ?? (code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`)
    );
  });
  return `"${inner}"`;
}
