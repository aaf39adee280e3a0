import type { TableChart } from '../../../charts/core/chart.ts';
import type { KpiDefinition } from '../../../formats/core/kpi/kpi.ts';
import type { MatrixEntry } from '../../../formats/core/kpi/matrix-entry.ts';
import type { ChartPlot, Workload } from '../../../formats/core/kpi/workload.ts';
import type { JsonValue } from '../../../platform/core/text/json.ts';
import { settingText } from '../../../platform/core/text/text-order.ts';
import { type Measures, testsOf } from './measure.ts';

const EXAMPLES = 5;

/** What is stored of a test for the long term: labels, results, KPIs, and the values of the selected tests. */
export function ltsDocumentation(workload: Workload, measures: Measures): ChartPlot {
  const definitions = workload.kpis.map(({ definition }) => definition);
  return {
    name: 'report: LTS Documentation',
    id: 'lts_documentation',
    isReport: true,
    draw({ entries }) {
      const tests = [...new Set(entries.flatMap(testsOf))];
      return [
        { type: 'heading', level: 1, text: `Long-term store of ${workload.name}` },
        { type: 'heading', level: 2, text: 'Labels' },
        { type: 'chart', chart: labelTable(workload, tests, measures) },
        { type: 'heading', level: 2, text: 'Results' },
        { type: 'chart', chart: resultTable(workload) },
        { type: 'heading', level: 2, text: 'KPIs' },
        { type: 'chart', chart: kpiTable(definitions) },
        { type: 'heading', level: 2, text: 'Values' },
        { type: 'text', text: 'As a file: nightmark matrix kpi DIR --workload FILE --format csv' },
        { type: 'chart', chart: valueTable(tests, measures) },
      ];
    },
  };
}

function labelTable(
  { payload }: Workload,
  tests: readonly MatrixEntry[],
  { valuesOf }: Measures,
): TableChart {
  const labels = tests.map((test) => valuesOf(test)[0]?.labels ?? {});
  const types = payload?.labelTypes ?? {};
  const names = [...new Set([...Object.keys(types), ...labels.flatMap(Object.keys)])];
  return table(
    '',
    ['label', 'type', 'values'],
    names.map((name) => {
      const values = [
        ...new Set(labels.flatMap((all) => (Object.hasOwn(all, name) ? [textOf(all[name])] : []))),
      ];
      const more = values.length > EXAMPLES ? `, and ${values.length - EXAMPLES} more` : '';
      return [name, types[name] ?? '', `${values.slice(0, EXAMPLES).join(', ')}${more}`];
    }),
  );
}

function resultTable({ payload }: Workload): TableChart {
  return table('', ['result', 'type'], Object.entries(payload?.resultTypes ?? {}));
}

function kpiTable(definitions: readonly KpiDefinition[]): TableChart {
  const rows = definitions.map(({ name, help, unit, better, isIgnoredForRegression }) => [
    name,
    help,
    unit,
    better === 'unknown' ? 'unknown' : `${better} is better`,
    isIgnoredForRegression ? 'no' : 'yes',
  ]);
  return table('', ['KPI', 'meaning', 'unit', 'direction', 'compared'], rows);
}

function valueTable(tests: readonly MatrixEntry[], { valuesOf }: Measures): TableChart {
  const rows = tests.flatMap((test) =>
    valuesOf(test).map(({ definition, value, testId, problem }) => [
      testId === '' ? test.location : testId,
      definition.name,
      value === null ? (problem ?? 'no value') : String(value),
      definition.unit,
    ]),
  );
  return table('', ['test', 'KPI', 'value', 'unit'], rows);
}

function table(title: string, columns: readonly string[], rows: readonly (readonly string[])[]): TableChart {
  return {
    type: 'table',
    title,
    columns: columns.map((name) => ({ name })),
    rows: rows.map((row) => row.map((text) => ({ text }))),
  };
}

function textOf(value: JsonValue | undefined): string {
  return value === undefined || value === null ? 'not set' : settingText(value);
}
