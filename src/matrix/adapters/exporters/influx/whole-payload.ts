import type { JsonValue } from '../../../../platform/core/text/json.ts';

/** Where whole payloads lie beside their KPIs: tags are texts, and some of a payload is no tag at all. */
export const WHOLE = 'nightmark_payload';

/** Characters of a field: a text of InfluxDB 1.x ends at 64 KiB, and a character takes up to three bytes. */
const PART = 16_000;

/** The fields of the point of a payload: its JSON in parts, and how many these are. */
export function wholeFields(payload: unknown): readonly (readonly [name: string, text: string])[] {
  const json = JSON.stringify(payload);
  const parts: [string, string][] = [];
  for (let at = 0; at < json.length; ) {
    let end = Math.min(at + PART, json.length);
    // A character of two units stays whole.
    if (end < json.length && isLeading(json.charCodeAt(end - 1))) end--;
    parts.push([partName(parts.length), json.slice(at, end)]);
    at = end;
  }
  return parts;
}

/** The payload of a row; throws where a part is missing or what they make is no JSON. */
export function wholePayload(row: Readonly<Record<string, unknown>>): JsonValue {
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

function isLeading(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
