import type { KpiDefinition } from '../../../formats/core/kpi/kpi.ts';
import type { ComparisonRules } from '../../../formats/core/kpi/workload.ts';
import { settingText } from '../../../platform/core/text/text-order.ts';
import type { LeftOut } from './analysis.ts';
import type { CurrentTest } from './current-test.ts';
import { ignoringLabel } from './match-labels.ts';

/** Which KPIs are judged, and which are not and why. */
export function sortOut(
  all: readonly CurrentTest[],
  wanted: readonly CurrentTest[],
  { comparison, kpiFilter }: { readonly comparison: ComparisonRules; readonly kpiFilter: string },
): { readonly definitions: readonly KpiDefinition[]; readonly left: LeftOut } {
  const known = new Map(all.flatMap(({ values }) => values.map((it) => [it.definition.name, it.definition])));
  const isList = ({ name }: KpiDefinition) =>
    all.some(({ values }) => values.some((it) => it.definition.name === name && Array.isArray(it.value)));
  const definitions: KpiDefinition[] = [];
  const [ignoredKpis, listKpis, filteredKpis]: [string[], string[], string[]] = [[], [], []];
  for (const definition of known.values()) {
    if (definition.isIgnoredForRegression) ignoredKpis.push(definition.name);
    else if (isList(definition)) listKpis.push(definition.name);
    else if (!definition.name.includes(kpiFilter)) filteredKpis.push(definition.name);
    else definitions.push(definition);
  }
  const entries = all
    .filter((test) => !wanted.includes(test))
    .map(({ labels, location }) => {
      const key = ignoringLabel(labels, comparison) ?? '';
      return `${location} (${key}=${settingText(labels[key] ?? null)})`;
    });
  return { definitions, left: { entries, ignoredKpis, listKpis, filteredKpis } };
}
