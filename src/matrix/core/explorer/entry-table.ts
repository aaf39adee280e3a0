import {
  type KpiDefinition,
  type KpiNumber,
  type Payload,
  seriesLabels,
} from '../../../formats/core/kpi/kpi.ts';
import { kpiNumber, payloadStart } from '../../../formats/core/kpi/read-payload.ts';
import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import { inNaturalOrder, settingText } from '../../../platform/core/text/text-order.ts';

/** All stored tests as columns: settings and KPIs. Each row is one test, the oldest first. */
export interface EntryTable {
  readonly ids: readonly string[];
  /** Milliseconds since 1970; null where it is unknown. */
  readonly times: readonly (number | null)[];
  /** Null where none was recorded. */
  readonly exitCodes: readonly (number | null)[];
  /** The run id that the test itself names. */
  readonly runs: readonly (string | null)[];
  readonly settings: readonly SettingColumn[];
  readonly kpis: readonly KpiColumn[];
}

export interface SettingColumn {
  readonly name: string;
  /** In natural order; null, where some test lacks it, is the last. */
  readonly values: readonly JsonValue[];
  /** For each test the index of its value in `values`. */
  readonly codes: readonly number[];
}

export interface KpiColumn extends Pick<KpiDefinition, 'name' | 'help' | 'unit' | 'better'> {
  /** Tests that have it; null: every test. */
  readonly rows: readonly number[] | null;
  /** For each of them its value, a list of values, or null where the value is missing. */
  readonly values: readonly KpiNumber[];
}

export function entryTable(payloads: readonly Payload[]): EntryTable {
  const settings = new Map<string, (JsonValue | undefined)[]>();
  const kpis = new Map<string, OpenKpi>();
  for (const [row, { metadata, kpis: own }] of payloads.entries()) {
    for (const [name, value] of Object.entries(seriesLabels(metadata.settings))) {
      const column = settings.get(name) ?? [];
      column[row] = scalar(value ?? null);
      settings.set(name, column);
    }
    for (const [name, kpi] of Object.entries(own)) addKpi(kpis, { name, kpi, row });
  }
  const count = payloads.length;
  return {
    ids: payloads.map(({ metadata }) => metadata.test_uuid),
    times: payloads.map((payload) => finite(payloadStart(payload))),
    exitCodes: payloads.map(({ metadata }) => finite(metadata.exit_code ?? Number.NaN)),
    runs: payloads.map(({ metadata }) => textOf(metadata.settings['run_id'])),
    settings: [...settings].map(([name, values]) => settingColumn(name, values, count)),
    kpis: [...kpis.values()].map(({ rows, ...kpi }) => ({
      ...kpi,
      rows: rows.length === count ? null : rows,
    })),
  };
}

/** A column of a setting from the value of each test; undefined: it has none. */
function settingColumn(
  name: string,
  values: readonly (JsonValue | undefined)[],
  count: number,
): SettingColumn {
  const distinct = new Map<string, JsonValue>();
  const keys: string[] = [];
  for (let row = 0; row < count; row++) {
    const value = values[row] ?? null;
    const key = typeof value === 'string' ? `"${value}` : String(value);
    distinct.set(key, value);
    keys.push(key);
  }
  const sorted = inNaturalOrder([...distinct], ([, value]) => value);
  const indexes = new Map(sorted.map(([key], index) => [key, index]));
  return {
    name,
    values: sorted.map(([, value]) => value),
    codes: keys.map((key) => indexes.get(key) ?? 0),
  };
}

type OpenKpi = Omit<KpiColumn, 'rows' | 'values'> & { readonly rows: number[]; readonly values: KpiNumber[] };

function addKpi(
  kpis: Map<string, OpenKpi>,
  { name, kpi, row }: { readonly name: string; readonly kpi: JsonObject; readonly row: number },
): void {
  const divisor = typeof kpi['divisor'] === 'number' && kpi['divisor'] !== 0 ? kpi['divisor'] : 1;
  const column = kpis.get(name) ?? { ...definitionOf(name, kpi), rows: [], values: [] };
  kpis.set(name, column);
  const value = kpiNumber(kpi);
  column.rows.push(row);
  column.values.push(
    value === null ? null : typeof value === 'number' ? value / divisor : value.map((one) => one / divisor),
  );
}

function definitionOf(name: string, kpi: JsonObject): Omit<KpiColumn, 'rows' | 'values'> {
  const lower = kpi['lower_better'];
  const unit = textOf(kpi['divisor'] === undefined ? kpi['unit'] : (kpi['divisor_unit'] ?? kpi['unit']));
  return {
    name,
    help: textOf(kpi['help']) ?? '',
    // "ms list" is the unit of a KPI with many values, each of them in ms.
    unit: (unit ?? '').replace(/ list$/, ''),
    better: typeof lower !== 'boolean' ? 'unknown' : lower ? 'lower' : 'higher',
  };
}

/** Lists and mappings are compared by their text. */
function scalar(value: JsonValue): JsonValue {
  return typeof value === 'object' && value !== null ? settingText(value) : value;
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
