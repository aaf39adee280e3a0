import type { KpiNumber, Payload } from '../../../../formats/core/kpi/kpi.ts';
import { parsePayloadTime, payloadPoints } from '../../../../formats/core/kpi/read-payload.ts';
import type { JsonObject, JsonValue } from '../../../../platform/core/text/json.ts';

/**
 * The KPIs of a payload in line protocol: a measurement for each, tags for the labels and the id of the test, the value as a
 * field. With the id two tests of the same time are two points, and a test is always the same point. Throws without a time.
 */
export function payloadLines(payload: Payload): readonly string[] {
  const { metadata, kpis } = payload;
  const start = nanoseconds(metadata.start);
  let first: string | undefined;
  const lines = payloadPoints(payload).flatMap(({ name, value, labels }) => {
    const kpi = kpis[name] ?? {};
    const measurement = escaped(name, MEASUREMENT);
    // A name of backslashes only cannot be a measurement; the stored payload has it.
    if (measurement === '') return [];
    const fields = fieldsOf(value, kpi['unit'], metadata.exit_code);
    if (fields === undefined) return [];
    const at = nanoseconds(kpi['@timestamp']) ?? start;
    if (at === undefined)
      throw new Error(`kpis.${name} has no time, and metadata.start is "${metadata.start}"`);
    first ??= at;
    const tags = tagsOf({ ...labels, test_uuid: metadata.test_uuid });
    return [`${measurement}${tags} ${fields} ${at}`];
  });
  const at = start ?? first;
  return at === undefined ? lines : [...lines, payloadLine(payload, at)];
}

/** The payload itself, for the import: the tags have lost the types of labels. */
function payloadLine(payload: Payload, at: string): string {
  const parts = payloadFields(payload).map(([name, text]) => `${name}=${quoted(text)}`);
  const fields = [`parts=${parts.length}i`, ...parts].join(',');
  return `${PAYLOAD_MEASUREMENT}${tagsOf({ test_uuid: payload.metadata.test_uuid })} ${fields} ${at}`;
}

const MEASUREMENT = /[, ]/g;
const KEY = /[,= ]/g;

/** Undefined when there is no value: a point needs one. */
function fieldsOf(
  value: KpiNumber,
  unit: JsonValue | undefined,
  exitCode: number | undefined,
): string | undefined {
  const values = valueFields(value);
  if (values.length === 0) return undefined;
  const code = Number.isSafeInteger(exitCode) ? [`exit_code=${exitCode}i`] : [];
  const units = typeof unit === 'string' && unit !== '' ? [`unit=${quoted(unit)}`] : [];
  return [...values, ...code, ...units].join(',');
}

/** A field keeps the type of its first value, so 4 and 4.5 are both written as floats. */
function valueFields(value: KpiNumber): readonly string[] {
  if (typeof value === 'number') return [`value=${value}`];
  if (value === null || value.length === 0) return [];
  const mean = value.reduce((sum, each) => sum + each, 0) / value.length;
  return [`value=${mean}`, `count=${value.length}i`, `values=${quoted(JSON.stringify(value))}`];
}

/** Sorted, as InfluxDB recommends; empty tags are left out. */
function tagsOf(labels: JsonObject): string {
  const tags = Object.entries(labels).flatMap(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const shown = value === null ? '' : tagText(text);
    return shown === '' || name === '' ? [] : [`,${escaped(name, KEY)}=${escaped(shown, KEY)}`];
  });
  return tags.sort().join('');
}

/** A line break would end the point; a backslash at the end, or before an escaped character, would escape another one. */
function tagText(text: string): string {
  return text.replace(/[\r\n]+/g, ' ').replace(/\\+(?=[,= ]|$)/g, '');
}

function escaped(text: string, special: RegExp): string {
  return tagText(text).replace(special, (character) => `\\${character}`);
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, (character) => `\\${character}`)}"`;
}

/** As text: nanoseconds since 1970 are too large for a double. */
function nanoseconds(time: JsonValue | undefined): string | undefined {
  const found = typeof time === 'string' ? parsePayloadTime(time) : undefined;
  if (!found) return undefined;
  const seconds = BigInt(Date.parse(`${found.text.slice(0, 19)}Z`)) / 1000n;
  return String(seconds * 1_000_000_000n + BigInt(found.text.slice(20, 26)) * 1000n);
}

/** The measurement of whole payloads: tags are texts, and a payload has more than tags can express. */
export const PAYLOAD_MEASUREMENT = 'nightmark_payload';

/** Characters of a field: InfluxDB 1.x limits a text to 64 KiB, and a character takes up to three bytes. */
const PART_LENGTH = 16_000;

/** The JSON of a payload in parts, one for each field. */
export function payloadFields(payload: unknown): readonly (readonly [name: string, text: string])[] {
  const json = JSON.stringify(payload);
  const parts: [string, string][] = [];
  for (let at = 0; at < json.length; ) {
    let end = Math.min(at + PART_LENGTH, json.length);
    // A surrogate pair is not split.
    if (end < json.length && isHighSurrogate(json.charCodeAt(end - 1))) end--;
    parts.push([partName(parts.length), json.slice(at, end)]);
    at = end;
  }
  return parts;
}

/** The payload of a row; throws where a part is missing, or the JSON is invalid. */
export function joinPayloadFields(row: Readonly<Record<string, unknown>>): JsonValue {
  const count = Number(row['parts']);
  if (!Number.isSafeInteger(count) || count < 1) throw new Error('its number of parts is missing');
  const parts = Array.from({ length: count }, (_, at) => {
    const part = row[partName(at)];
    if (typeof part !== 'string') throw new Error(`its part ${at + 1} of ${count} is missing`);
    return part;
  });
  return JSON.parse(parts.join('')) as JsonValue;
}

function partName(at: number): string {
  return `part_${at}`;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
