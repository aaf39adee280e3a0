import { compareNaturally } from '../../platform/core/text/text-order.ts';

/** The response of /api/points/series for measurements only. */
export interface MeasurementListing {
  readonly matched: { readonly measurements: number; readonly series: number };
  readonly measurements: readonly {
    readonly measurement: string;
    readonly series: number;
    readonly fields: readonly string[];
    readonly tagKeys: readonly string[];
  }[];
}

/** The response for series. */
export interface PointListing extends MeasurementListing {
  readonly series: readonly ListedSeries[];
}

export interface ListedSeries {
  readonly measurement: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Types by name. */
  readonly fields: Readonly<Record<string, string>>;
}

/** What the chart is of. */
export interface PointChoice {
  readonly database: string;
  readonly measurement: string;
  readonly field: string;
  /** Fields with numbers. */
  readonly fields: readonly string[];
  readonly tags: readonly (readonly [key: string, value: string])[];
}

/** The choice in the URL; by default the first measurement and its first field with numbers. */
export function readPointChoice(
  query: URLSearchParams,
  database: string,
  listing: Pick<MeasurementListing, 'measurements'> | undefined,
  inside: PointListing | undefined,
): PointChoice | undefined {
  const measurement = query.get('m') ?? listing?.measurements[0]?.measurement;
  const tags = query.getAll('tag').map((text): readonly [string, string] => {
    const at = text.indexOf('=');
    return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  });
  const given = query.get('f');
  // A complete URL need not wait for the lists.
  if (measurement !== undefined && given !== null && inside === undefined)
    return { database, measurement, field: given, fields: [given], tags };
  const own = inside?.series.filter((one) => one.measurement === measurement) ?? [];
  if (measurement === undefined || own.length === 0) return undefined;
  const numbers = own.flatMap(({ fields }) => Object.entries(fields).filter(([, type]) => type !== 'string'));
  const fields = [...new Set(numbers.map(([name]) => name))].sort(compareNaturally);
  const field = query.get('f') ?? (fields.includes('value') ? 'value' : fields[0]);
  if (field === undefined) return undefined;
  return { database, measurement, field, fields, tags };
}

/** Series that have the chosen field and tags. */
export function chosenSeries(
  series: readonly ListedSeries[],
  { field, tags }: Pick<PointChoice, 'field' | 'tags'>,
): readonly ListedSeries[] {
  return series.filter(
    (one) => Object.hasOwn(one.fields, field) && tags.every(([key, value]) => one.tags[key] === value),
  );
}

/** For each tag its values, among the series that the other tags leave; one with a single value is not offered. */
export function tagChoices(
  series: readonly ListedSeries[],
  choice: Pick<PointChoice, 'field' | 'tags'>,
): readonly (readonly [key: string, values: readonly string[]])[] {
  const keys = [...new Set(series.flatMap(({ tags }) => Object.keys(tags)))].sort(compareNaturally);
  return keys.flatMap((key) => {
    const tags = choice.tags.filter(([name]) => name !== key);
    const left = chosenSeries(series, { field: choice.field, tags });
    const values = [...new Set(left.flatMap((one) => one.tags[key] ?? []))].sort(compareNaturally);
    const isChosen = choice.tags.some(([name]) => name === key);
    return values.length > 1 || isChosen ? [[key, values.slice(0, 500)] as const] : [];
  });
}
