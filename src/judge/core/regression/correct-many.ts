import { adjustedPValues } from '../../../stats/false-discovery.ts';
import type { EntryAnalysis, KpiAnalysis, KpiState } from './analysis.ts';

/** Of all that is called a change, at most this share may be chance. */
const FALSE_SHARE = 0.05;
const CHANGES: ReadonlySet<KpiState> = new Set(['regression', 'improvement', 'changed']);

/** Over all KPIs of all entries: whoever looks at hundred values at 1 % sees one change where there is none. */
export function correctMany(entries: readonly EntryAnalysis[]): readonly EntryAnalysis[] {
  const all = entries.flatMap(({ kpis }) => kpis);
  const adjusted = adjustedPValues(all.map(({ p }) => p));
  let at = 0;
  return entries.map((entry) => ({
    ...entry,
    kpis: entry.kpis.map((kpi) => withAdjusted(kpi, adjusted[at++])),
  }));
}

function withAdjusted(kpi: KpiAnalysis, adjustedP: number | undefined): KpiAnalysis {
  if (adjustedP === undefined) return kpi;
  if (!CHANGES.has(kpi.state) || adjustedP <= FALSE_SHARE) return { ...kpi, adjustedP };
  const note = `Alone it would be a ${kpi.state}; among so many KPIs that is not certain enough.`;
  return { ...kpi, adjustedP, state: 'undecided', notes: [...kpi.notes, note] };
}
