import { curveFromJson } from '../../charts/core/curves/curve.ts';
import type { Payload } from '../../formats/core/kpi/kpi.ts';
import type { Store } from '../../home/core/store.ts';
import { isJsonObject, type JsonValue } from '../../platform/core/text/json.ts';
import { nameBySettings } from '../core/name-curve.ts';
import type { CurveFile } from './find-curves.ts';

/** Tests whose results are looked through for curves: the newest. */
const MOST_TESTS = 1_000;

/** Curves among the results of tests: fields that a workload declares as one. */
export async function payloadCurves(store: Store | undefined): Promise<readonly CurveFile[]> {
  const payloads = (await store?.payloads({ limit: MOST_TESTS })) ?? [];
  return payloads.flatMap((payload) => {
    const tables = tablesOf(payload);
    const path = `test ${payload.metadata.test_uuid}`;
    return tables.length === 0 ? [] : [{ path, at: Date.parse(payload.metadata.start) || 0, tables }];
  });
}

function tablesOf({ metadata, results }: Payload): CurveFile['tables'] {
  if (!isJsonObject(results)) return [];
  const settings = isJsonObject(metadata.settings) ? metadata.settings : {};
  const workload = typeof metadata['workload'] === 'string' ? metadata['workload'] : 'tests';
  const named = nameBySettings(settings, workload);
  return Object.entries(results).flatMap(([field, value]) =>
    curvesIn(value).map(({ x, y }, place, all) => {
      const columns = new Map([
        ['x', x],
        [field, y],
      ]);
      const seed = all.length > 1 ? { seed: `${named.seed ?? ''} ${place + 1}`.trim() } : {};
      // The same settings again are a newer run of the same: the newest counts.
      return { ...named, ...seed, edition: 'tests', columns };
    }),
  );
}

function curvesIn(value: JsonValue) {
  return (Array.isArray(value) ? value : [value]).flatMap((one) => curveFromJson(one) ?? []);
}
