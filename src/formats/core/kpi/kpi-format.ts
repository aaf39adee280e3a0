import { formatTemplate } from '../../../platform/core/python/python-format.ts';
import { isJsonObject, type JsonObject } from '../../../platform/core/text/json.ts';
import { quantile, summarize } from '../../../stats/summary.ts';
import type { KpiDefinition, KpiNumber } from './kpi.ts';

/** A value for people, as its definition says: "1.5 GB", "0.7, 1.3 ms", "--- MB" where there is none. */
export function formatKpiValue(definition: KpiDefinition, value: KpiNumber, labels: JsonObject = {}): string {
  const { format, fullFormat, divisor } = definition;
  if (value === null) return withUnit('---', definition.unit);
  const divided = divisor === undefined ? value : mapNumbers(value, (number) => number / divisor);
  if (fullFormat !== undefined) return fullText(fullFormat, divided, { definition, labels });
  const each = (number: number) =>
    formatTemplate(format ?? defaultFormat(number), (name) =>
      name === 0 || name === 'value' ? number : undefined,
    );
  const text = typeof divided === 'number' ? each(divided) : divided.map(each).join(', ');
  return withUnit(text, shownUnit(definition));
}

/** All digits before the point, and four that mean something at least: 0.0204 s, 12.34 s, 12345 MB. */
function defaultFormat(value: number): string {
  return Math.abs(value) >= 1000 ? '{:.0f}' : '{:.4g}';
}

/** The unit in which values are shown. */
function shownUnit({ unit, divisor, divisorUnit }: KpiDefinition): string {
  return divisor === undefined ? unit : (divisorUnit ?? unit);
}

interface Named {
  readonly definition: KpiDefinition;
  readonly labels: JsonObject;
}

/**
 * Places with a number are the values of the list (a single value is the first), names are statistics of
 * them all, fields of the definition, and labels.
 */
function fullText(
  template: string,
  value: number | readonly number[],
  { definition, labels }: Named,
): string {
  const values = typeof value === 'number' ? [value] : value;
  const label = (name: string) => {
    const found = Object.hasOwn(labels, name) ? labels[name] : undefined;
    if (found === undefined || found === null || typeof found === 'number') return found ?? undefined;
    return isJsonObject(found) || Array.isArray(found) ? JSON.stringify(found) : String(found);
  };
  return formatTemplate(template, (name) => {
    if (typeof name === 'number') return values[name];
    const own = { name: definition.name, unit: shownUnit(definition), help: definition.help }[name];
    return own ?? statistic(name, values) ?? label(name);
  });
}

function statistic(name: string, values: readonly number[]): number | undefined {
  if (name === 'count') return values.length;
  if (values.length === 0) return undefined;
  if (name === 'value') return values[0];
  if (name === 'min' || name === 'max' || name === 'mean' || name === 'median')
    return summarize(values)[name];
  const percentile = /^p(\d{1,2})$/.exec(name);
  return percentile ? quantile(values, Number(percentile[1]) / 100) : undefined;
}

function mapNumbers(value: number | readonly number[], change: (number: number) => number) {
  return typeof value === 'number' ? change(value) : value.map(change);
}

function withUnit(text: string, unit: string): string {
  return unit === '' ? text : `${text} ${unit}`;
}

/** Below this many characters a name says too little without its prefix. */
const SHORTEST = 5;

/** Names for the head of a table: without the prefix that all share, with an arrow to the better side. */
export function kpiHeads(definitions: readonly KpiDefinition[]): readonly string[] {
  const prefix = commonPrefix(definitions.map(({ name }) => name));
  return definitions.map(({ name, better }) => {
    const rest = name.slice(prefix.length);
    const short = rest.length < SHORTEST ? name : rest;
    return better === 'unknown' ? short : `${short} ${better === 'lower' ? '▼' : '▲'}`;
  });
}

/** Whole words up to an underscore: "tiny_" of tiny_memory and tiny_throughput. */
function commonPrefix(names: readonly string[]): string {
  const [first = '', ...others] = names;
  if (others.length === 0) return '';
  let length = first.length;
  for (const name of others) while (!name.startsWith(first.slice(0, length))) length--;
  return first.slice(0, first.lastIndexOf('_', length - 1) + 1);
}
