import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import { type KpiNumber, type KpiPoint, type KpiSeries, type Payload, seriesLabels } from './kpi.ts';

/** A document from elsewhere as a payload, or why it is not one. Only what readers rely on is checked: old documents lack the rest. */
export function asPayload(
  document: JsonValue | undefined,
): { readonly payload: Payload } | { readonly reason: string } {
  const reason = payloadProblem(document);
  return reason === undefined ? { payload: document as unknown as Payload } : { reason };
}

/** KPIs of a payload that have no value: they are left out of a history, and its other points are used. */
export function kpisWithoutValue({ kpis }: Payload): readonly string[] {
  return Object.entries(kpis).flatMap(([name, { value }]) =>
    value === null || value === undefined ? [name] : [],
  );
}

function payloadProblem(document: JsonValue | undefined): string | undefined {
  if (!isJsonObject(document)) return 'it is not a mapping with metadata, results and kpis';
  const { metadata, kpis } = document;
  if (!isJsonObject(metadata)) return 'it has no metadata';
  if (typeof metadata['test_uuid'] !== 'string' || metadata['test_uuid'] === '')
    return 'its metadata have no test_uuid';
  if (!isJsonObject(metadata['settings'])) return 'its metadata have no settings';
  if (!isJsonObject(kpis)) return 'it has no kpis';
  const broken = Object.keys(kpis).find((name) => !isJsonObject(kpis[name]));
  return broken === undefined ? undefined : `kpis.${broken} is not a mapping`;
}

/** The values of a document as points of their series. */
export function payloadPoints(payload: Payload): readonly KpiPoint[] {
  const start = payloadStart(payload);
  return Object.entries(payload.kpis).map(([name, kpi]) => ({
    name,
    help: textOf(kpi['help']),
    unit: textOf(kpi['unit']),
    value: kpiNumber(kpi),
    labels: seriesLabels(kpi),
    at: kpiTime(kpi) ?? start,
  }));
}

/** Milliseconds since 1970; NaN when it is unknown. */
export function payloadStart({ metadata }: Payload): number {
  return parsePayloadTime(textOf(metadata.start))?.at ?? Number.NaN;
}

function kpiTime(kpi: JsonObject): number | undefined {
  return parsePayloadTime(textOf(kpi['@timestamp']))?.at;
}

/** The value of a KPI. Old documents have "12.5" and true as numbers. */
export function kpiNumber({ value = null }: JsonObject): KpiNumber {
  if (Array.isArray(value)) return value.map(Number).filter(Number.isFinite);
  if (value === null || value === '' || typeof value === 'object') return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Which direction of each KPI is good, and whether it is to be judged, as the document says. */
export function payloadDirections({
  kpis,
}: Payload): ReadonlyMap<string, Pick<KpiSeries, 'better' | 'isIgnored'>> {
  return new Map(
    Object.entries(kpis).map(([name, kpi]) => {
      const lower = kpi['lower_better'];
      const better = typeof lower !== 'boolean' ? 'unknown' : lower ? 'lower' : 'higher';
      return [name, { better, isIgnored: kpi['ignored_for_regression'] === true }];
    }),
  );
}

/** Fields in which documents say where their test ran, ours first. */
const FIELDS = ['machine', 'host', 'hostname', 'node'];

/** The machine of a test, where its document names one. */
export function payloadMachine({ metadata }: Payload): string | undefined {
  // Documents of old stores were never validated.
  const settings = isJsonObject(metadata.settings) ? metadata.settings : {};
  const values = [metadata, settings].flatMap((place) => FIELDS.map((field) => nameOf(place[field])));
  return values.find((name) => name !== undefined);
}

function nameOf(value: JsonValue | undefined): string | undefined {
  const name = isJsonObject(value) ? value['name'] : value;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** A timestamp of a payload. */
export interface PayloadTime {
  /** Milliseconds since 1970, with the fraction that doubles can hold. */
  readonly at: number;
  /** In UTC with six decimals, as documents carry it: 2024-09-02T10:00:00.000000Z. */
  readonly text: string;
}

const TIME =
  /^(\d{4})-(\d{1,2})-(\d{1,2})[T ](\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d{1,6})\d{0,6})?)?\s*(?:(Z)|([+-])(\d{2}):?(\d{2})?)?$/i;
const DAY_MS = 86_400_000;

/** Reads an ISO time; one that names no zone is in UTC, as the old stores take it. Undefined when invalid. */
export function parsePayloadTime(text: string): PayloadTime | undefined {
  const found = TIME.exec(text.trim());
  if (!found) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = found.slice(1, 6).map(Number);
  const second = Number(found[6] ?? 0);
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const date = Date.UTC(year, month - 1, day);
  // A day that the month does not have would silently be one of the next month.
  if (month < 1 || month > 12 || day < 1 || new Date(date).getUTCDate() !== day) return undefined;
  const offset = offsetMs(found[9], found[10], found[11]);
  const whole = date + ((hour * 60 + minute) * 60 + second) * 1000 - offset;
  return payloadTime(whole, (found[7] ?? '').padEnd(6, '0'));
}

/** A timestamp as a number: seconds since 1970, or milliseconds where seconds would be beyond the year 2603. */
export function numericPayloadTime(value: number): PayloadTime | undefined {
  let ms = Math.abs(value) > 2e10 ? value : value * 1000;
  while (Math.abs(ms) > 2e13) ms /= 1000;
  const whole = Math.floor(ms / 1000) * 1000;
  return Number.isFinite(ms)
    ? payloadTime(whole, String(Math.min(999_999, Math.round((ms - whole) * 1000))).padStart(6, '0'))
    : undefined;
}

function payloadTime(wholeMs: number, microseconds: string): PayloadTime | undefined {
  // Years 1 to 9999: what four digits can say.
  if (wholeMs < -719_162 * DAY_MS || wholeMs >= 2_932_897 * DAY_MS) return undefined;
  const text = `${new Date(wholeMs).toISOString().slice(0, 19)}.${microseconds}Z`;
  return { at: wholeMs + Number(microseconds) / 1000, text };
}

function offsetMs(sign: string | undefined, hours = '0', minutes = '0'): number {
  if (sign === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
