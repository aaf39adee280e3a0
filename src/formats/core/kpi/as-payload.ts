import { isJsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import type { Payload } from './kpi.ts';

/** A document from elsewhere as a payload, or why it is none. Only what readers rely on is asked for: old documents are old. */
export function asPayload(
  document: JsonValue | undefined,
): { readonly payload: Payload } | { readonly reason: string } {
  const reason = whyNot(document);
  return reason === undefined ? { payload: document as unknown as Payload } : { reason };
}

/** KPIs of a payload that have no value: they are left out of a history, and its other points are used. */
export function kpisWithoutValue({ kpis }: Payload): readonly string[] {
  return Object.entries(kpis).flatMap(([name, { value }]) =>
    value === null || value === undefined ? [name] : [],
  );
}

function whyNot(document: JsonValue | undefined): string | undefined {
  if (!isJsonObject(document)) return 'it is no mapping with metadata, results and kpis';
  const { metadata, kpis } = document;
  if (!isJsonObject(metadata)) return 'it has no metadata';
  if (typeof metadata['test_uuid'] !== 'string' || metadata['test_uuid'] === '')
    return 'its metadata have no test_uuid';
  if (!isJsonObject(metadata['settings'])) return 'its metadata have no settings';
  if (!isJsonObject(kpis)) return 'it has no kpis';
  const broken = Object.keys(kpis).find((name) => !isJsonObject(kpis[name]));
  return broken === undefined ? undefined : `kpis.${broken} is no mapping`;
}
