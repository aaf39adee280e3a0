import type { KpiSeries, Payload } from './kpi.ts';

/** Which direction of each KPI is good, and whether it is to be judged, as the document says. */
export function payloadDirections({
  kpis,
}: Payload): ReadonlyMap<string, Pick<KpiSeries, 'better' | 'isIgnored'>> {
  return new Map(
    Object.entries(kpis).map(([name, kpi]) => {
      const lower = kpi['lower_better'];
      const better = typeof lower !== 'boolean' ? 'unknown' : lower ? 'lower' : 'higher';
      return [name, { better, isIgnored: kpi['ignored_for_regression'] === true }];
    }),
  );
}
