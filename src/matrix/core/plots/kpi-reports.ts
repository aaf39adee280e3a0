import type { PlotPart, TableCell, TableChart } from '../../../charts/core/chart.ts';
import { type KpiDefinition, type KpiValue, seriesLabels } from '../../../formats/core/kpi/kpi.ts';
import { formatKpiValue, kpiHeads } from '../../../formats/core/kpi/kpi-format.ts';
import type { MatrixEntry } from '../../../formats/core/kpi/matrix-entry.ts';
import type { ChartPlot, PlotRequest } from '../../../formats/core/kpi/workload.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { settingText } from '../../../platform/core/text/text-order.ts';
import { directionOf } from './describe-chart.ts';
import { tableStats } from './general-plots.ts';
import { type Measure, type Measures, testsOf } from './measure.ts';

type Grouping = 'settings' | 'labels';

/** One row for each test, with its settings or its labels, one column for each KPI. */
export function kpiTableReport(
  grouping: Grouping,
  definitions: readonly KpiDefinition[],
  measures: Measures,
): ChartPlot {
  return {
    name: `report: KPI Table Report by ${grouping}`,
    id: `kpi_table_report_by_${grouping}`,
    isReport: true,
    draw({ entries }): readonly PlotPart[] {
      const tests = [...new Set(entries.flatMap(testsOf))].map((entry) => ({
        entry,
        values: measures.valuesOf(entry),
      }));
      const table = kpiTable(tests, grouping, definitions);
      return [
        { type: 'heading', level: 1, text: `KPI Table Report by ${grouping}` },
        {
          type: 'text',
          text: `${counted(tests.length, 'test')}, ${counted(definitions.length, 'KPI')}. ▲: higher is better. ▼: lower is better.`,
        },
        { type: 'chart', chart: table },
      ];
    },
  };
}

interface Test {
  readonly entry: MatrixEntry;
  readonly values: readonly KpiValue[];
}

function kpiTable(
  tests: readonly Test[],
  grouping: Grouping,
  definitions: readonly KpiDefinition[],
): TableChart {
  const facts = tests.map((test) => (grouping === 'settings' ? test.entry.settings : labelsOf(test)));
  const keys = [...new Set(facts.flatMap(Object.keys))];
  // What is the same in all tests is shown once, above the table.
  const varying = keys.filter(
    (key) => new Set(facts.map((fact) => JSON.stringify(fact[key] ?? null))).size > 1,
  );
  const fixed = keys
    .filter((key) => !varying.includes(key))
    .map((key) => `${key}=${textOf(facts[0]?.[key])}`);
  const heads = kpiHeads(definitions);
  return {
    type: 'table',
    title: `KPIs by ${grouping}`,
    ...(fixed.length > 0 && { subtitle: `The same in all: ${fixed.join(', ')}` }),
    columns: [
      { name: 'test' },
      ...varying.map((name) => ({ name })),
      ...heads.map((name) => ({ name, align: 'right' as const })),
    ],
    rows: tests.map((test, row) => [
      testCell(test),
      ...varying.map((key) => ({ text: textOf(facts[row]?.[key]) })),
      ...definitions.map((definition) => ({ text: valueText(definition, test) })),
    ]),
  };
}

function labelsOf({ values }: Test): JsonObject {
  return seriesLabels(values[0]?.labels ?? {});
}

function valueText(definition: KpiDefinition, { values }: Test): string {
  const kpi = values.find(({ definition: { name } }) => name === definition.name);
  return formatKpiValue(definition, kpi?.value ?? null, kpi?.labels);
}

/** The first part of its id, or the end of its folder, with a link to where it ran. */
function testCell({ entry, values: [first] }: Test): TableCell {
  const id = first?.testId ?? '';
  const urls = first?.labels['urls'];
  const link = isJsonObject(urls)
    ? Object.values(urls).find((url) => typeof url === 'string' && /^https?:\/\//i.test(url))
    : undefined;
  const text = id === '' ? (entry.location.split('/').at(-1) ?? entry.location) : id.slice(0, 8);
  return typeof link === 'string' ? { text, link } : { text };
}

function textOf(value: JsonValue | undefined): string {
  return value === undefined || value === null ? '' : settingText(value);
}

/** A chart for each KPI, with its meaning and direction. */
export function kpiPlotReport({ kpis }: Measures): ChartPlot {
  return {
    name: 'report: KPI Plot Report',
    id: 'kpi_plot_report',
    isReport: true,
    draw: (request) => [
      { type: 'heading', level: 1, text: 'KPI Plot Report' },
      ...(kpis.length === 0 ? [{ type: 'text', text: 'The workload has no KPIs.' } as const] : []),
      ...kpis.flatMap((kpi) => section(kpi, request)),
    ],
  };
}

function section(measure: Measure, request: PlotRequest): readonly PlotPart[] {
  const { subtitle } = directionOf(measure);
  const unit = measure.unit === '' ? '' : `, in ${measure.unit}`;
  const chart = tableStats(request, { title: measure.label, measure, cfg: request.cfg, hasSpread: true });
  return [
    { type: 'heading', level: 2, text: measure.name },
    { type: 'text', text: `${measure.label}${unit}.${subtitle === undefined ? '' : ` ${subtitle}.`}` },
    { type: 'chart', chart },
  ];
}
