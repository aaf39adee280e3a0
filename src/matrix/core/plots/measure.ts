import type { KpiDefinition, KpiValue } from '../../../formats/core/kpi/kpi.ts';
import { makePayload } from '../../../formats/core/kpi/make-payload.ts';
import type { MatrixEntry } from '../../../formats/core/kpi/matrix-entry.ts';
import type { PlotRequest, Workload } from '../../../formats/core/kpi/workload.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import type { JsonValue } from '../../../platform/core/text/json.ts';
import { nearest } from '../../../platform/core/text/nearest.ts';
import { fieldAt } from '../workload/json-path.ts';

/** What a plot shows of an entry: a KPI, or a number of its results. */
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
  /** The measure that a plot is configured with: `kpi=name` or `field=path`; default: the first KPI. */
  chosen(request: PlotRequest, key?: string, otherwise?: number): Measure;
}

export function measuresOf(workload: Workload): Measures {
  const cache = new WeakMap<MatrixEntry, readonly KpiValue[]>();
  const valuesOf = (entry: MatrixEntry) => {
    const values =
      cache.get(entry) ?? makePayload(entry, workload.kpis, workload.payload ?? NO_PAYLOAD).values;
    cache.set(entry, values);
    return values;
  };
  const kpis = workload.kpis.map(({ definition }) => kpiMeasure(definition, valuesOf));
  return { kpis, valuesOf, chosen: (request, key, otherwise) => choose(kpis, request, { key, otherwise }) };
}

/** A workload without payload rules may have KPIs too: their functions then get the results as they were read. */
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
    // "ms list" is the unit of a KPI with many values, each of them in ms.
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
  return {
    name: path,
    label: path,
    unit: '',
    better: 'unknown',
    values: (entry) => testsOf(entry).map(({ results }) => numbersOf(fieldAt(results, path))),
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
          ? `Choose one with ${key}=NAME (${names.join(', ') || 'there is none'}), or a number of the results with field=PATH.`
          : `Did you mean ${close}?`,
    },
  );
}

function numbersOf(value: JsonValue | undefined): readonly number[] {
  const list: readonly JsonValue[] = Array.isArray(value) ? value : [value ?? null];
  return list.filter((item) => typeof item === 'number');
}
