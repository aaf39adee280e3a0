import { type Curve, curveFromJson } from '../../../charts/core/curves/curve.ts';
import { curveChart } from '../../../charts/core/curves/curve-chart.ts';
import type { MatrixEntry } from '../../../formats/core/kpi/matrix-entry.ts';
import type { ChartPlot } from '../../../formats/core/kpi/workload.ts';
import type { JsonValue } from '../../../platform/core/text/json.ts';
import { fieldAt } from './json-path.ts';
import type { FieldDefinition } from './workload-definition.ts';

/** A plot for each field that is a curve: one line for each point of the matrix, with a band where there are seeds. */
export function curvePlots(fields: readonly FieldDefinition[]): readonly ChartPlot[] {
  return fields.flatMap(({ name, source, unit }) => {
    if (source.type !== 'curve') return [];
    const labels = { title: name, xLabel: source.x, yLabel: source.y };
    return [
      {
        name: `Learning curves: ${name}`,
        id: `learning_curves_${name}`,
        isReport: false,
        draw: ({ entries, orderedVars }) => {
          const groups = entries.map((entry) => ({
            name: curveName(entry, orderedVars),
            curves: curvesOf(entry, name),
          }));
          const chart = curveChart(groups, { ...labels, ...(unit === undefined ? {} : { yUnit: unit }) });
          return [{ type: 'chart' as const, chart }];
        },
      },
    ];
  });
}

/** The curves of a test, or of all tests that an entry stands for. */
export function curvesOf(entry: MatrixEntry, field: string): readonly Curve[] {
  const members = entry.gathered?.members ?? [entry];
  return members.flatMap(({ results }) => {
    const value = fieldAt(results, field);
    const values: readonly JsonValue[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
    return values.flatMap((each) => curveFromJson(each) ?? []);
  });
}

/** The name of the line of an entry: the settings that vary, or its location. */
export function curveName({ settings, location }: MatrixEntry, keys: readonly string[]): string {
  const parts = keys.flatMap((key) => {
    const value = settings[key];
    return value === undefined || value === null ? [] : [`${key}=${String(value)}`];
  });
  return parts.length > 0 ? parts.join(', ') : location;
}
