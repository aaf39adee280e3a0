import { csvCell } from '../../../platform/core/text/csv.ts';
import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';
import type { Interval } from '../../../stats/distributions.ts';
import { interquartileInterval, interquartileMean } from '../../../stats/means.ts';
import { type KpiDefinition, type KpiValue, seriesLabels } from './kpi.ts';
import { formatKpiValue } from './kpi-format.ts';
import { gatheredSettings, identityOf, type Settings } from './matrix-entry.ts';

/** The KPIs of one test, and what it was set to. */
interface SetKpis {
  readonly settings: Settings;
  readonly values: readonly KpiValue[];
}

/** One KPI over the repetitions of a test, such as seeds: the interquartile mean of their values. */
interface GatheredKpi {
  readonly definition: KpiDefinition;
  /** Null when no repetition has a single number. */
  readonly value: number | null;
  /** Over repetitions; absent below two values. */
  readonly interval?: Interval;
  /** So few values that the interval rests on the shape of their noise. */
  readonly isFew: boolean;
  readonly values: readonly number[];
  /** Repetitions whose value is missing, or a list. */
  readonly missing: number;
  /** Those that all repetitions share. */
  readonly labels: JsonObject;
}

/** Tests that differ in rolling settings ("@seed") only become one; in the order of their first members. */
export function gatherKpis(tests: readonly SetKpis[]): readonly GatheredKpi[] {
  const groups = new Map<string, SetKpis[]>();
  for (const test of tests) {
    const identity = identityOf(gatheredSettings(test.settings) ?? test.settings);
    const group = groups.get(identity);
    if (group) group.push(test);
    else groups.set(identity, [test]);
  }
  return [...groups.values()].flatMap((members) => {
    const names = new Set(members.flatMap(({ values }) => values.map(({ definition }) => definition.name)));
    return [...names].flatMap((name) => gatherOne(name, members));
  });
}

/** No interval out of fewer values holds 95 % whatever the noise: even from the least to the greatest, n of them hold the median with 1 - 2^(1-n). */
const FEW = 6;

function gatherOne(name: string, members: readonly SetKpis[]): readonly GatheredKpi[] {
  const found = members.flatMap(
    ({ values }) => values.find(({ definition }) => definition.name === name) ?? [],
  );
  const [first] = found;
  if (!first) return [];
  const values = found.flatMap(({ value }) => (typeof value === 'number' ? [value] : []));
  return [
    {
      definition: first.definition,
      value: values.length === 0 ? null : interquartileMean(values),
      ...(values.length > 1 && { interval: interquartileInterval(values) }),
      isFew: values.length < FEW,
      values,
      missing: members.length - values.length,
      labels: sharedLabels(found),
    },
  ];
}

function sharedLabels(found: readonly KpiValue[]): JsonObject {
  const [first, ...others] = found.map(({ labels }) => seriesLabels(labels));
  const isShared = ([name, value]: [string, JsonValue | undefined]) =>
    others.every((labels) => JSON.stringify(labels[name]) === JSON.stringify(value));
  return Object.fromEntries(Object.entries(first ?? {}).filter(isShared));
}

/** For programs: all fields. */
export function gatheredJson({
  definition,
  value,
  interval,
  isFew,
  values,
  missing,
  labels,
}: GatheredKpi): JsonObject {
  const { name, unit, help, better } = definition;
  return {
    kpi: name,
    value,
    ...(interval && { interval: { ...interval }, is_few: isFew }),
    ...(value !== null && { estimand: 'interquartile-mean' }),
    ...{ unit, help, better, values: [...values], missing, labels },
  };
}

const COLUMNS = ['kpi', 'value', 'low', 'high', 'level', 'count', 'missing', 'unit', 'better'];

export function gatheredCsv(kpis: readonly GatheredKpi[]): string {
  const labels = [...new Set(kpis.flatMap((kpi) => Object.keys(kpi.labels)))];
  const header = [...COLUMNS, ...labels.map((name) => (COLUMNS.includes(name) ? `label.${name}` : name))];
  const lines = kpis.map(({ definition, value, interval, values, missing, labels: own }) => [
    ...[definition.name, value, interval?.low, interval?.high, interval?.level].map(cell),
    ...[values.length, missing, definition.unit, definition.better].map(cell),
    ...labels.map((name) => cell(own[name])),
  ]);
  return [header, ...lines].map((cells) => `${cells.map(csvCell).join(',')}\n`).join('');
}

/** For people: a line for each KPI of each group of repetitions. */
export function gatheredLines(kpis: readonly GatheredKpi[]): string {
  const rows = kpis.map(({ definition, value, interval, isFew, values, missing, labels }) => {
    const set = Object.entries(labels).map(([name, label]) => `${name}=${cell(label)}`);
    const range = interval
      ? `[${number(definition, interval.low)}, ${number(definition, interval.high)}]`
      : '';
    const lost = missing > 0 ? `, ${missing} without` : '';
    return [
      definition.name,
      set.join(' '),
      formatKpiValue(plain(definition), value),
      range,
      `n=${values.length}${interval && isFew ? ', few' : ''}${lost}`,
    ];
  });
  const shown = [['kpi', 'settings', 'value', '95 % interval', ''], ...rows].map((cells) =>
    cells.map(visible),
  );
  const widths = [0, 1, 2, 3].map((at) => Math.max(...shown.map((cells) => cells[at]?.length ?? 0)));
  const line = (cells: readonly string[]) => cells.map((text, at) => text.padEnd(widths[at] ?? 0)).join('  ');
  const few = kpis.some(({ interval, isFew }) => interval && isFew) ? FEW_NOTE : '';
  return `${shown.map((cells) => `${line(cells).trimEnd()}\n`).join('')}${few}`;
}

const FEW_NOTE =
  'few: fewer than 6 repetitions; the interval holds 95 % where their noise is not too skewed.\n';

/** A text for a whole list says nothing of its mean. */
function plain({ fullFormat: _, ...definition }: GatheredKpi['definition']): GatheredKpi['definition'] {
  return definition;
}

function number(definition: GatheredKpi['definition'], value: number): string {
  const { divisorUnit: _, ...bare } = plain(definition);
  return formatKpiValue({ ...bare, unit: '' }, value).trim();
}

function cell(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
