import { isJsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import type { Payload } from './kpi.ts';

/** Fields in which documents say where their test ran, ours first. */
const FIELDS = ['machine', 'host', 'hostname', 'node'];

/** The machine of a test, where its document names one. */
export function payloadMachine({ metadata }: Payload): string | undefined {
  // Documents of old stores were checked by nobody.
  const settings = isJsonObject(metadata.settings) ? metadata.settings : {};
  const values = [metadata, settings].flatMap((place) => FIELDS.map((field) => nameOf(place[field])));
  return values.find((name) => name !== undefined);
}

function nameOf(value: JsonValue | undefined): string | undefined {
  const name = isJsonObject(value) ? value['name'] : value;
  return typeof name === 'string' && name !== '' ? name : undefined;
}
