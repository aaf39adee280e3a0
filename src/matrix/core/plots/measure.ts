import type { PlotRequest } from '../../../formats/core/kpi/chart-plot.ts';
import type { KpiDefinition, KpiValue } from '../../../formats/core/kpi/kpi.ts';
import { makePayload } from '../../../formats/core/kpi/make-payload.ts';
import type { MatrixEntry } from '../../../formats/core/kpi/matrix.ts';
import type { Workload } from '../../../formats/core/kpi/workload.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { isJsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import { nearest } from '../../../platform/core/text/nearest.ts';

/** What a plot shows of an entry: a KPI, or any number among its results. */
export interface Measure {
  readonly name: string;
  readonly label: string;
  readonly unit: string;
  readonly better: KpiDefinition['better'];
  /** One list for each test that the entry stands for; empty where there is no value. */
  values(entry: MatrixEntry): readonly (readonly number[])[];
}

export interface Measures {
  readonly kpis: readonly Measure[];
  /** The KPIs of one test, computed once. */
  valuesOf(entry: MatrixEntry): readonly KpiValue[];
  /** What the configuration of a plot asks for: `kpi=name` or `field=path`; the first KPI when it says nothing. */
  chosen(request: PlotRequest, key?: string, otherwise?: number): Measure;
}

export function measuresOf(workload: Workload): Measures {
  const known = new WeakMap<MatrixEntry, readonly KpiValue[]>();
  const valuesOf = (entry: MatrixEntry) => {
    const values =
      known.get(entry) ?? makePayload(entry, workload.kpis, workload.payload ?? NO_PAYLOAD).values;
    known.set(entry, values);
    return values;
  };
  const kpis = workload.kpis.map(({ definition }) => kpiMeasure(definition, valuesOf));
  return { kpis, valuesOf, chosen: (request, key, otherwise) => choose(kpis, request, { key, otherwise }) };
}

/** Tests of a workload without payloads have KPIs as well: their functions then see the results as they were read. */
const NO_PAYLOAD: NonNullable<Workload['payload']> = {
  labels: () => ({}),
  labelTypes: {},
  metadata: () => ({}),
  results: ({ results }) => results,
  resultTypes: {},
};

/** The tests that an entry stands for. */
export function testsOf(entry: MatrixEntry): readonly MatrixEntry[] {
  return entry.gathered?.members ?? [entry];
}

function kpiMeasure(definition: KpiDefinition, valuesOf: Measures['valuesOf']): Measure {
  const { name, help, unit, better, divisor = 1, divisorUnit } = definition;
  return {
    name,
    label: help === '' ? name : help,
    // "ms list" says of a KPI that it has many values; each of them is in ms.
    unit: definition.divisor === undefined ? unit.replace(/ list$/, '') : (divisorUnit ?? unit),
    better,
    values: (entry) =>
      testsOf(entry).map((test) => {
        const value = valuesOf(test).find((kpi) => kpi.definition.name === name)?.value ?? [];
        return (typeof value === 'number' ? [value] : value).map((number) => number / divisor);
      }),
  };
}

function fieldMeasure(path: string): Measure {
  const keys = path.split('.');
  return {
    name: path,
    label: path,
    unit: '',
    better: 'unknown',
    values: (entry) => testsOf(entry).map(({ results }) => numbersOf(fieldOf(results, keys))),
  };
}

interface MeasureChoice {
  readonly key: string | undefined;
  readonly otherwise: number | undefined;
}

function choose(
  kpis: readonly Measure[],
  { cfg }: PlotRequest,
  { key = 'kpi', otherwise = 0 }: MeasureChoice,
): Measure {
  if (cfg[`${key}-field`] !== undefined) return fieldMeasure(String(cfg[`${key}-field`]));
  if (cfg['field'] !== undefined && key === 'kpi') return fieldMeasure(String(cfg['field']));
  const name = cfg[key];
  const found =
    name === undefined
      ? kpis[Math.min(otherwise, kpis.length - 1)]
      : kpis.find((kpi) => kpi.name === String(name));
  if (found) return found;
  const names = kpis.map((kpi) => kpi.name);
  const close = name === undefined ? undefined : nearest(String(name), names);
  throw new NightmarkError(
    'CHART_NO_KPI',
    name === undefined ? 'The workload has no KPI to draw.' : `The workload has no KPI "${name}".`,
    {
      hint:
        close === undefined
          ? `Say which with ${key}=NAME (${names.join(', ') || 'there is none'}), or a number of the results with field=PATH.`
          : `Did you mean ${close}?`,
    },
  );
}

function fieldOf(value: JsonValue | undefined, keys: readonly string[]): JsonValue | undefined {
  return keys.reduce<JsonValue | undefined>(
    (inside, key) => (isJsonObject(inside) && Object.hasOwn(inside, key) ? inside[key] : undefined),
    value,
  );
}

function numbersOf(value: JsonValue | undefined): readonly number[] {
  const list: readonly JsonValue[] = Array.isArray(value) ? value : [value ?? null];
  return list.filter((item) => typeof item === 'number');
}
