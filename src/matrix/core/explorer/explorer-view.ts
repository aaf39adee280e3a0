import { nearest } from '../../../platform/core/text/nearest.ts';
import { settingText } from '../../../platform/core/text/text-order.ts';
import type { EntryTable, KpiColumn, SettingColumn } from './entry-table.ts';

export const CHART_KINDS = ['lines', 'bars', 'box', 'scatter', 'heatmap', 'table'] as const;
export type ChartKind = (typeof CHART_KINDS)[number];
const SPREADS = ['interval', 'deviation', 'none'] as const;
export type Spread = (typeof SPREADS)[number];

/** What the URL requests, as far as it exists; `suggestView` fills in the rest. */
export interface RequestedView {
  readonly kpi?: KpiColumn;
  /** For a scatter chart: the KPI of the x axis. */
  readonly against?: KpiColumn;
  readonly chart?: ChartKind;
  /** Settings in order: x axis, colour, columns, rows. Values are averaged over the others. */
  readonly axes?: readonly SettingColumn[];
  /** Selected values of a setting, by index; a setting that is not here shows all. */
  readonly chosen: ReadonlyMap<SettingColumn, ReadonlySet<number>>;
  readonly xScale: 'linear' | 'log';
  readonly yScale: 'linear' | 'log';
  readonly spread: Spread;
  /** Whether failed tests count. */
  readonly hasFailed: boolean;
  /** What was requested and does not exist, a sentence each. */
  readonly problems: readonly string[];
}

/** In a URL: the test lacks the setting. */
const NOT_SET = '(not set)';
/** In a URL: no setting is an axis. */
export const NO_AXIS = '-';
/** In URLs of the original explorer: every value. */
const EVERY_VALUE = '---';
const FILTER_PREFIX = 'is.';

/** Name of the parameter that selects values of a setting. */
export function filterParameter(setting: string): string {
  return `${FILTER_PREFIX}${setting}`;
}

/** A value of a setting as text; 4 and "4" are distinguished where a setting has both. */
export function valueLabel(setting: SettingColumn, index: number): string {
  return labelsOf(setting)[index] ?? NOT_SET;
}

const labelCache = new WeakMap<SettingColumn, readonly string[]>();

function labelsOf(setting: SettingColumn): readonly string[] {
  const found = labelCache.get(setting) ?? makeLabels(setting);
  labelCache.set(setting, found);
  return found;
}

function makeLabels({ values }: SettingColumn): readonly string[] {
  const texts = values.map((value) => (value === null ? NOT_SET : settingText(value)));
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return texts.map((text, index) =>
    typeof values[index] === 'string' && (counts.get(text) ?? 0) > 1 ? `"${text}"` : text,
  );
}

/**
 * Reads the parameters of a URL. Those of the original explorer are accepted as well: a setting by its bare name, and
 * settings-order=a|b.
 */
export function readView(pairs: Iterable<readonly [string, string]>, table: EntryTable): RequestedView {
  const problems: string[] = [];
  const all = new Map<string, string[]>();
  for (const [name, value] of pairs) all.set(name, [...(all.get(name) ?? []), value]);
  const kpiOf = (name: string) => {
    const wanted = all.get(name)?.[0];
    if (wanted === undefined) return undefined;
    return findByName(table.kpis, wanted, { problems, what: 'KPI' });
  };
  const [kpi, against] = [kpiOf('kpi'), kpiOf('against')];
  const axes = readAxes(all, table, problems);
  const chart = oneOf(CHART_KINDS, all.get('chart')?.[0]);
  return {
    ...(kpi && { kpi }),
    ...(against && { against }),
    ...(chart && { chart }),
    ...(axes && { axes }),
    chosen: readFilters(all, table, problems),
    xScale: all.get('x-scale')?.[0] === 'log' ? 'log' : 'linear',
    yScale: all.get('y-scale')?.[0] === 'log' ? 'log' : 'linear',
    spread: oneOf(SPREADS, all.get('spread')?.[0]) ?? 'interval',
    hasFailed: all.get('failed')?.[0] === '1',
    problems,
  };
}

type Parameters = ReadonlyMap<string, readonly string[]>;

function readAxes(
  all: Parameters,
  table: EntryTable,
  problems: string[],
): readonly SettingColumn[] | undefined {
  const older = all.get('settings-order')?.flatMap((text) => text.split('|'));
  const names = (all.get('axis') ?? older)?.filter((name) => name !== '');
  if (names === undefined || names.length === 0) return undefined;
  return [...new Set(names)]
    .filter((name) => name !== NO_AXIS)
    .flatMap((name) => findByName(table.settings, name, { problems, what: 'setting' }) ?? []);
}

const OWN_PARAMETERS = new Set([
  ...['kpi', 'against', 'chart', 'axis', 'settings-order', 'x-scale', 'y-scale', 'spread', 'failed'],
  ...['sort', 'pivot-sort', 'stats', 'cfg', 'columns'],
]);

function readFilters(
  all: Parameters,
  table: EntryTable,
  problems: string[],
): ReadonlyMap<SettingColumn, ReadonlySet<number>> {
  const chosen = new Map<SettingColumn, ReadonlySet<number>>();
  for (const [parameter, texts] of all) {
    const isOurs = parameter.startsWith(FILTER_PREFIX);
    if (OWN_PARAMETERS.has(parameter) || texts.includes(EVERY_VALUE)) continue;
    const name = isOurs ? parameter.slice(FILTER_PREFIX.length) : parameter;
    const setting = isOurs
      ? findByName(table.settings, name, { problems, what: 'setting' })
      : table.settings.find((one) => one.name === name);
    if (setting === undefined) continue;
    chosen.set(setting, new Set(texts.flatMap((text) => indexOfLabel(setting, text, problems))));
  }
  return chosen;
}

function indexOfLabel(setting: SettingColumn, text: string, problems: string[]): readonly number[] {
  const index = labelsOf(setting).indexOf(text);
  if (index >= 0) return [index];
  problems.push(`No test has ${setting.name}=${text}.`);
  return [];
}

function findByName<T extends { readonly name: string }>(
  list: readonly T[],
  name: string,
  { problems, what }: { readonly problems: string[]; readonly what: string },
): T | undefined {
  const one = list.find((it) => it.name === name);
  if (one) return one;
  const close = nearest(
    name,
    list.map((it) => it.name),
  );
  const hint = close === undefined ? '' : ` Did you mean ${close}?`;
  problems.push(`No test has a ${what} "${name}".${hint}`);
  return undefined;
}

function oneOf<T extends string>(labelCache: readonly T[], text: string | undefined): T | undefined {
  return labelCache.find((one) => one === text);
}

/** The list with one of its items moved. */
export function moveItem<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const one = list[from];
  if (one === undefined || to < 0 || to >= list.length) return list;
  const rest = list.filter((_, at) => at !== from);
  return [...rest.slice(0, to), one, ...rest.slice(to)];
}
