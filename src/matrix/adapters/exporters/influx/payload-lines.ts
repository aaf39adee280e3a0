import type { KpiNumber, Payload } from '../../../../formats/core/kpi/kpi.ts';
import { payloadPoints } from '../../../../formats/core/kpi/payload-points.ts';
import { parsePayloadTime } from '../../../../formats/core/kpi/payload-time.ts';
import type { JsonObject, JsonValue } from '../../../../platform/core/text/json.ts';

/**
 * The KPIs of a payload as lines: a measurement for each, tags for the labels and the id of the test, the value as a field. The
 * id makes two tests of the same moment two points, and the same test always the same point. Throws when there is no time.
 */
export function payloadLines(payload: Payload): readonly string[] {
  const { metadata, kpis } = payload;
  const start = nanoseconds(metadata.start);
  let first: string | undefined;
  const lines = payloadPoints(payload).flatMap(({ name, value, labels }) => {
    const kpi = kpis[name] ?? {};
    const measurement = escaped(name, MEASUREMENT);
    // A name of backslashes only: no measurement, but in the whole payload.
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

/** The payload as it is, to be read back: labels above have lost their types. */
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

/** A measurement keeps the type of its first value: 4 and 4.5 must be of one, so that all are floats. */
function valueFields(value: KpiNumber): readonly string[] {
  if (typeof value === 'number') return [`value=${value}`];
  if (value === null || value.length === 0) return [];
  const mean = value.reduce((sum, each) => sum + each, 0) / value.length;
  return [`value=${mean}`, `count=${value.length}i`, `values=${quoted(JSON.stringify(value))}`];
}

/** Sorted, as the server likes them; an empty tag is none. */
function tagsOf(labels: JsonObject): string {
  const tags = Object.entries(labels).flatMap(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const shown = value === null ? '' : tagText(text);
    return shown === '' || name === '' ? [] : [`,${escaped(name, KEY)}=${escaped(shown, KEY)}`];
  });
  return tags.sort().join('');
}

/** A line break would end the point; a backslash at the end, or before a sign that is escaped, would escape another sign. */
function tagText(text: string): string {
  return text.replace(/[\r\n]+/g, ' ').replace(/\\+(?=[,= ]|$)/g, '');
}

function escaped(text: string, special: RegExp): string {
  return tagText(text).replace(special, (character) => `\\${character}`);
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, (character) => `\\${character}`)}"`;
}

/** Too large for a double. */
function nanoseconds(time: JsonValue | undefined): string | undefined {
  const found = typeof time === 'string' ? parsePayloadTime(time) : undefined;
  if (!found) return undefined;
  const seconds = BigInt(Date.parse(`${found.text.slice(0, 19)}Z`)) / 1000n;
  return String(seconds * 1_000_000_000n + BigInt(found.text.slice(20, 26)) * 1000n);
}

/** Where whole payloads lie beside their KPIs: tags are texts, and some of a payload is no tag at all. */
export const PAYLOAD_MEASUREMENT = 'nightmark_payload';

/** Characters of a field: a text of InfluxDB 1.x ends at 64 KiB, and a character takes up to three bytes. */
const PART_LENGTH = 16_000;

/** The fields of the point of a payload: its JSON in parts, and how many these are. */
export function payloadFields(payload: unknown): readonly (readonly [name: string, text: string])[] {
  const json = JSON.stringify(payload);
  const parts: [string, string][] = [];
  for (let at = 0; at < json.length; ) {
    let end = Math.min(at + PART_LENGTH, json.length);
    // A character of two units stays whole.
    if (end < json.length && isHighSurrogate(json.charCodeAt(end - 1))) end--;
    parts.push([partName(parts.length), json.slice(at, end)]);
    at = end;
  }
  return parts;
}

/** The payload of a row; throws where a part is missing or what they make is no JSON. */
export function joinPayloadFields(row: Readonly<Record<string, unknown>>): JsonValue {
  const count = Number(row['parts']);
  if (!Number.isSafeInteger(count) || count < 1) throw new Error('it does not say of how many parts it is');
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
