import { parseYamlValue } from '../../platform/config/parse-yaml.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/core/text/json.ts';

/** A configuration file of a job: YAML or JSON, an object at its top. */
export function parseJobConfig(file: string, text: string): JsonObject {
  const value = text.trim() === '' ? {} : parseYamlValue(text);
  if (isJsonObject(value)) return value;
  throw new NightmarkError('JOBS_CONFIG', `${file} is not a configuration: it has no keys at its top.`, {
    hint: 'Write "key: value" lines (YAML) or a JSON object.',
  });
}

/** `optimizer.lr=0.1`: the value as YAML has it, dots lead into objects. */
export function parseSetting(text: string): readonly [path: readonly string[], value: JsonValue] {
  const [, name = '', value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (value === undefined || name.trim() === '')
    throw new NightmarkError('JOBS_SETTING', `"${text}" sets nothing.`, {
      hint: 'Write key=value, such as lr=0.1.',
    });
  return [name.trim().split('.'), scalar(value)];
}

/** `lr=0.1,0.01` or `seed=1..5`: all values that one key takes. */
export function parseAxis(text: string): readonly [name: string, values: readonly JsonValue[]] {
  const [path, value] = [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)];
  if (!text.includes('=') || path.trim() === '' || value.trim() === '')
    throw new NightmarkError('JOBS_SWEEP', `"${text}" names no values.`, {
      hint: 'Write key=v1,v2,v3 or key=1..5.',
    });
  const [, from, to] = /^\s*(-?\d{1,15})\.\.(-?\d{1,15})\s*$/.exec(value) ?? [];
  if (from !== undefined && to !== undefined) return [path.trim(), range(text, Number(from), Number(to))];
  return [path.trim(), value.split(',').map(scalar)];
}

const MOST_VALUES = 100_000;

function range(text: string, from: number, to: number): readonly number[] {
  const step = from <= to ? 1 : -1;
  const count = Math.abs(to - from) + 1;
  if (count > MOST_VALUES)
    throw new NightmarkError(
      'JOBS_SWEEP',
      `"${text}" has ${count} values; at most ${MOST_VALUES} are taken.`,
      {
        hint: 'Name fewer values.',
      },
    );
  return Array.from({ length: count }, (_, at) => from + step * at);
}

function scalar(text: string): JsonValue {
  try {
    // 1e-4 is a text for Python's YAML; on a command line it is a number.
    if (/^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*$/.test(text)) return Number(text);
    return text.trim() === '' ? text : parseYamlValue(text);
  } catch {
    return text;
  }
}
