import { nanoseconds } from '../lines/format-line.ts';
import { FIELD_TYPES, type FieldKey, type PointRows, timestampAt } from '../points/points.ts';

export interface FormattedLines {
  readonly text: string;
  readonly lines: number;
  readonly values: number;
  /** nan and inf, which line protocol cannot express. */
  readonly notFinite: number;
}

/**
 * Rows as line protocol with nanoseconds; neighbours of one point become one line. Names came from lines and are written
 * unchanged, while `core/lines/format-line.ts` escapes names of any origin.
 */
export function formatRows(rows: PointRows, keyOf: (column: number) => FieldKey): FormattedLines {
  const seriesTexts = new Map<FieldKey['tags'], Map<string, string>>();
  const lines: string[] = [];
  let point = '';
  let fields = '';
  let time = '';
  let values = 0;
  const finish = () => {
    if (fields !== '') lines.push(`${point} ${fields} ${time}\n`);
    fields = '';
  };
  for (let row = 0; row < rows.count; row++) {
    const value = valueText(rows, row);
    if (value === undefined) continue;
    const key = keyOf(rows.column[row] as number);
    const series = seriesText(key, seriesTexts);
    const at = nanoseconds(timestampAt(rows.timestamps, row));
    if (series !== point || at !== time) finish();
    point = series;
    time = at;
    fields += `${fields === '' ? '' : ','}${escapeName(key.field)}=${value}`;
    values++;
  }
  finish();
  return { text: lines.join(''), lines: lines.length, values, notFinite: rows.count - values };
}

/** Series are few and rows many: the text of each series is cached. */
function seriesText(
  { measurement, tags }: FieldKey,
  cache: Map<FieldKey['tags'], Map<string, string>>,
): string {
  const ofTags = cache.get(tags) ?? new Map<string, string>();
  cache.set(tags, ofTags);
  let series = ofTags.get(measurement);
  if (series === undefined) {
    const texts = tags.map(([key, value]) => `,${escapeName(key)}=${escapeName(value)}`);
    series = `${measurement.replace(/[, ]/g, '\\$&').replaceAll('\n', '\\n')}${texts.join('')}`;
    ofTags.set(measurement, series);
  }
  return series;
}

function valueText(rows: PointRows, row: number): string | undefined {
  const value = rows.value[row] as number;
  const other = rows.isOther[row] === 1 ? rows.others[value] : undefined;
  switch (FIELD_TYPES[rows.type[row] as number]) {
    case 'float':
      return Number.isFinite(value) ? String(value) : undefined;
    case 'integer':
      return `${other ?? value}i`;
    case 'unsigned':
      // Servers of version 1 have no unsigned type unless built for it.
      return `${other ?? value}${typeof other === 'bigint' && other > 9_223_372_036_854_775_807n ? 'u' : 'i'}`;
    case 'boolean':
      return value === 1 ? 'true' : 'false';
    default:
      return `"${String(other ?? '').replace(/["\\]/g, '\\$&')}"`;
  }
}

function escapeName(text: string): string {
  return text.replace(/[,= ]/g, '\\$&').replaceAll('\n', '\\n');
}
