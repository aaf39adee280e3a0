import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import type { Payload } from './kpi.ts';

/** A payload as tables have it: labels and values in cells of their own, everything else beside them. */
export interface SplitPayload {
  readonly labels: JsonObject;
  /** By the name of the KPI. */
  readonly values: JsonObject;
  /** The payload without the two. */
  readonly rest: JsonObject;
}

export function splitPayload(payload: Payload): SplitPayload {
  const { settings, ...metadata } = payload.metadata;
  const values: [string, JsonValue][] = [];
  const kpis = Object.entries(payload.kpis).map(([name, kpi]) => {
    const { value, ...others } = kpi;
    if (value !== undefined) values.push([name, value]);
    return [name, others] as const;
  });
  const rest = { ...payload, metadata, kpis: Object.fromEntries(kpis) } as unknown as JsonObject; // made of JSON values
  return { labels: settings, values: Object.fromEntries(values), rest };
}

/** The reverse of `splitPayload`. Whether it is a payload is for the reader to check. */
export function joinPayload({ labels, values, rest }: SplitPayload): JsonObject {
  const { metadata, kpis } = rest;
  const names = isJsonObject(kpis) ? Object.keys(kpis) : [];
  const added = Object.keys(values).filter((name) => !names.includes(name));
  const whole = [...names, ...added].map((name) => {
    const others = isJsonObject(kpis) && Object.hasOwn(kpis, name) ? kpis[name] : undefined;
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return [name, { ...(isJsonObject(others) && others), ...(value !== undefined && { value }) }] as const;
  });
  return {
    ...rest,
    metadata: { ...(isJsonObject(metadata) && metadata), settings: labels },
    kpis: Object.fromEntries(whole),
  };
}
