import { useMemo } from 'preact/hooks';
import type { KpiNumber } from '../../formats/core/kpi/kpi.ts';
import { kpiHeads } from '../../formats/core/kpi/kpi-format.ts';
import { State } from '../../home/page/state.tsx';
import { counted } from '../../platform/core/text/numbers.ts';
import { Quantity } from '../../platform/page/parts/display.tsx';
import { Minute } from '../../platform/page/parts/time.tsx';
import { useParameter } from '../../platform/page/router/address.ts';
import { Link } from '../../platform/page/router/link.tsx';
import type { Column } from '../../platform/page/table/column.ts';
import { DataTable } from '../../platform/page/table/data-table.tsx';
import { median } from '../../stats/summary.ts';
import type { StoredTests } from '../app/read-stored-tests.ts';
import type { KpiColumn, SettingColumn } from '../core/explorer/entry-table.ts';
import { valueLabel } from '../core/explorer/explorer-view.ts';
import { type ExplorerView, isFailed, valueIndexes, valuesByRow } from '../core/explorer/suggest-view.ts';
import { nightOfTest } from '../core/night-tests.ts';
import { Clipped } from './pivot-view.tsx';

interface KpiTableProps {
  readonly tests: StoredTests;
  readonly view: ExplorerView;
}

/** Further columns are shown on request. */
const MAX_KPIS = 8;

/** Every test with its settings and KPIs, the newest first. */
export function KpiTable({ tests, view }: KpiTableProps) {
  const [mode, setMode] = useParameter('columns');
  const isAll = mode === 'all';
  const rows = useMemo(
    () => [...new Set([...view.selection.rows, ...view.selection.failed])].sort((a, b) => b - a),
    [view.selection],
  );
  const kpis = useMemo(() => kpisOf(tests, view, rows), [tests, view, rows]);
  const shown = isAll ? kpis : kpis.slice(0, MAX_KPIS);
  const columns = useMemo(() => columnsOf(tests, shown, rows), [tests, kpis, isAll, rows]);
  const left = kpis.length - shown.length;
  return (
    <section aria-labelledby="tests-title">
      <h2 id="tests-title">Every test</h2>
      {(left > 0 || isAll) && (
        <p class="quiet">
          {isAll ? 'All KPIs are shown.' : `${counted(left, 'more KPI')} not shown.`}{' '}
          <button type="button" class="small" onClick={() => setMode(isAll ? undefined : 'all')}>
            {isAll ? 'Show fewer' : 'Show all KPIs'}
          </button>
        </p>
      )}
      <DataTable
        caption="Every test"
        rows={rows}
        columns={columns}
        rowKey={String}
        empty="No test has all of the chosen values."
      />
    </section>
  );
}

/** The selected KPI first; those that none of these tests has are left out. */
function kpisOf({ kpis }: StoredTests, { kpi }: ExplorerView, rows: readonly number[]): readonly KpiColumn[] {
  const there = new Set(rows);
  const others = kpis.filter(
    (one) => one !== kpi && (one.rows === null || one.rows.some((row) => there.has(row))),
  );
  return [kpi, ...others];
}

function columnsOf(
  tests: StoredTests,
  kpis: readonly KpiColumn[],
  rows: readonly number[],
): readonly Column<number>[] {
  const heads = kpiHeads(kpis.map((kpi) => ({ ...kpi, isIgnoredForRegression: false })));
  const varying = tests.settings.filter((setting) => valueIndexes(setting, rows).length > 1);
  return [
    ...varying.map(settingCell),
    ...kpis.map((kpi, at) => kpiCell(kpi, heads[at] ?? kpi.name)),
    {
      key: 'state',
      title: 'state',
      sortBy: (row) => tests.exitCodes[row] ?? undefined,
      cell: (row) =>
        isFailed(tests, row) ? (
          <State state="failed" word={`failed, exit ${tests.exitCodes[row]}`} />
        ) : (
          <State state="succeeded" />
        ),
    },
    {
      key: 'time',
      title: 'began',
      sortBy: (row) => tests.times[row] ?? undefined,
      cell: (row) => <Minute at={tests.times[row] ?? Number.NaN} />,
    },
    {
      key: 'run',
      title: 'run',
      sortBy: (row) => tests.runs[row] ?? undefined,
      cell: (row) => <RunOf tests={tests} row={row} />,
    },
    {
      key: 'test',
      title: 'test',
      sortBy: (row) => tests.ids[row],
      cell: (row) => <TestId id={tests.ids[row] ?? ''} run={tests.runs[row]} />,
    },
  ];
}

/** A nightly run has a page; other tests have run ids of their own. */
function RunOf({ tests, row }: { readonly tests: StoredTests; readonly row: number }) {
  const run = tests.runs[row] ?? '';
  const night = nightOfTest(tests.ids[row] ?? '', run);
  return night === undefined ? run : <Link to={`/runs/${encodeURIComponent(night)}`}>{night}</Link>;
}

function TestId({ id, run }: { readonly id: string; readonly run: string | null | undefined }) {
  // A test of a nightly run is identified by its settings, which have their own columns.
  return nightOfTest(id, run) === undefined ? (
    <code title={id}>{id.slice(-12)}</code>
  ) : (
    <span class="quiet" title={id}>
      nightly run
    </span>
  );
}

function settingCell(setting: SettingColumn): Column<number> {
  const { name, values, codes } = setting;
  return {
    key: `s.${name}`,
    title: <Clipped text={name} />,
    sortBy: (row) => codes[row],
    cell: (row) => {
      const index = codes[row] ?? 0;
      const text = valueLabel(setting, index);
      return <span {...(values[index] === null ? { class: 'quiet' } : { title: text })}>{text}</span>;
    },
  };
}

function kpiCell(kpi: KpiColumn, head: string): Column<number> {
  const valueAt = valuesByRow(kpi);
  return {
    key: `k.${kpi.name}`,
    title: <span title={kpi.help === '' ? kpi.name : `${kpi.name}: ${kpi.help}`}>{head}</span>,
    isNumber: true,
    sortBy: (row) => numberOf(valueAt(row)),
    cell: (row) => <Value value={valueAt(row)} unit={kpi.unit} />,
  };
}

function Value({ value, unit }: { readonly value: KpiNumber | undefined; readonly unit: string }) {
  if (value === undefined) return <span class="quiet">–</span>;
  const number = numberOf(value);
  if (number === undefined) return <span class="quiet">no value</span>;
  return (
    <>
      <Quantity value={number} unit={unit} />
      {typeof value === 'object' && <span class="quiet"> median of {value?.length}</span>}
    </>
  );
}

function numberOf(value: KpiNumber | undefined): number | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'number') return value;
  return value.length === 0 ? undefined : median(value);
}
