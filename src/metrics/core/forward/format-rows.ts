import { nanoseconds } from '../lines/format-line.ts';
import { FIELD_TYPES, type FieldKey, type PointRows, timestampAt } from '../points/points.ts';

export interface FormattedLines {
  readonly text: string;
  readonly lines: number;
  readonly values: number;
  /** nan and inf, which line protocol has no words for. */
  readonly notFinite: number;
}

/**
 * Rows as line protocol with nanoseconds; neighbours of one point become one line. Names were read from lines and go out as
 * they came, which `core/lines/format-line.ts`, made for names of any origin, must not promise.
 */
export function formatRows(rows: PointRows, keyOf: (column: number) => FieldKey): FormattedLines {
  const heads = new Map<FieldKey['tags'], Map<string, string>>();
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
    const head = seriesText(key, heads);
    const at = nanoseconds(timestampAt(rows.moments, row));
    if (head !== point || at !== time) finish();
    point = head;
    time = at;
    fields += `${fields === '' ? '' : ','}${escapeName(key.field)}=${value}`;
    values++;
  }
  finish();
  return { text: lines.join(''), lines: lines.length, values, notFinite: rows.count - values };
}

/** Series are few and rows many: the head of each is made once. */
function seriesText(
  { measurement, tags }: FieldKey,
  known: Map<FieldKey['tags'], Map<string, string>>,
): string {
  const ofTags = known.get(tags) ?? new Map<string, string>();
  known.set(tags, ofTags);
  let head = ofTags.get(measurement);
  if (head === undefined) {
    const texts = tags.map(([key, value]) => `,${escapeName(key)}=${escapeName(value)}`);
    head = `${measurement.replace(/[, ]/g, '\\$&').replaceAll('\n', '\\n')}${texts.join('')}`;
    ofTags.set(measurement, head);
  }
  return head;
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
      // Servers of version 1 have no such type unless built for it; an integer is what they know.
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
