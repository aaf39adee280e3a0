import type { JsonValue } from '../core/text/json.ts';

/** Words that YAML 1.1 takes for something else than text, in any case. */
const WORDS = /^(?:yes|no|on|off|true|false|null|nan|inf)$/i;
const LINE = /^([A-Za-z_][\w-]*): +([\w./+-]+) *$/;

/**
 * Settings are nearly always a few lines of "key: word", in thousands of files: read without a parser, fifty times as fast.
 * Undefined when any line could mean anything else.
 */
export function parseFlatYaml(text: string): Readonly<Record<string, JsonValue>> | undefined {
  const fields: [string, JsonValue][] = [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const line of lines) {
    const [, key = '', word = ''] = LINE.exec(line) ?? [];
    const value = key === '' || WORDS.test(key) ? undefined : plainValue(word);
    if (value === undefined) return undefined;
    fields.push([key, value]);
  }
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

function plainValue(word: string): string | number | undefined {
  if (/^(?:0|[1-9]\d{0,14})$/.test(word)) return Number(word);
  if (/^(?:0|[1-9]\d{0,9})\.\d{1,9}$/.test(word)) return Number(word);
  const isText = /^[A-Za-z/]/.test(word) || /^\d+\.\d+\.\d+$/.test(word);
  return isText && !WORDS.test(word) ? word : undefined;
}
