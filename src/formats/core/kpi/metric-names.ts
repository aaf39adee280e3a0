import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';

/** A metric as OpenMetrics has it: its name ends in its unit. */
export interface MetricName {
  readonly name: string;
  /** Empty when there is none. */
  readonly unit: string;
}

/** "tiny_memory" in MB is tiny_memory_megabytes. What a name must not have becomes "_"; see docs/reference/kpis.md. */
export function metricName(kpi: string, unitText: string): MetricName {
  const name = legalName(kpi);
  const unit = metricUnit(unitText);
  if (unit === '' || name === unit || name.endsWith(`_${unit}`)) return { name, unit };
  return { name: `${name}_${unit}`, unit };
}

/** Labels with legal names and texts, sorted by name. Empty ones are left out: to Prometheus these are not there. */
export function metricLabels(
  labels: JsonObject,
  reserved: readonly string[] = [],
): ReadonlyMap<string, string> {
  const taken = new Set(reserved);
  const legal: [string, string][] = [];
  for (const [name, value] of Object.entries(labels)) {
    const text = labelText(value);
    if (text === '') continue;
    let free = legalName(name).replace(/^_{2,}/, '_');
    while (taken.has(free)) free = `${free}_`;
    taken.add(free);
    legal.push([free, text]);
  }
  return new Map(legal.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function legalName(text: string): string {
  const name = text.replace(/[^a-zA-Z0-9_]/g, '_');
  return /^[a-zA-Z_]/.test(name) ? name : `_${name}`;
}

function labelText(value: JsonValue): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The value stays as it is, so a unit is only spelt out, never changed into a base unit. */
const UNIT_WORDS: Readonly<Record<string, string>> = {
  ...{ s: 'seconds', sec: 'seconds', second: 'seconds', ms: 'milliseconds', us: 'microseconds' },
  ...{ µs: 'microseconds', μs: 'microseconds', ns: 'nanoseconds', min: 'minutes', h: 'hours', d: 'days' },
  ...{ B: 'bytes', byte: 'bytes', KB: 'kilobytes', kB: 'kilobytes', MB: 'megabytes', GB: 'gigabytes' },
  ...{ TB: 'terabytes', KiB: 'kibibytes', MiB: 'mebibytes', GiB: 'gibibytes', TiB: 'tebibytes' },
  ...{ '%': 'percent', W: 'watts', J: 'joules', V: 'volts', A: 'amperes', Hz: 'hertz', '°C': 'celsius' },
  ...{ req: 'requests', tok: 'tokens', token: 'tokens', op: 'operations', ops: 'operations' },
};

/** "req/s" is requests_per_second; a list of milliseconds ("ms list") has the unit of its values. */
function metricUnit(text: string): string {
  const [first = '', ...others] = text.replace(/\s+list$/, '').split(/\s*\/\s*/);
  const per = others.map((word) => `_per_${unitWord(word).replace(/s$/, '')}`);
  return `${unitWord(first)}${per.join('')}`.replace(/_{2,}/g, '_').replace(/^_|_$/g, '');
}

function unitWord(text: string): string {
  const word = text.trim();
  return (
    (Object.hasOwn(UNIT_WORDS, word) ? UNIT_WORDS[word] : undefined) ?? word.replace(/[^a-zA-Z0-9_]+/g, '_')
  );
}
