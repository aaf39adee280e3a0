import { FIELD_TYPES, type PointRows } from '../../core/model/points.ts';
import { HeadColumn } from './head-column.ts';

/** What came since the last settling began. */
export class Head {
  readonly #columns: (HeadColumn | undefined)[] = [];
  readonly #numbers: number[] = [];
  /** Values that were added, those of the same moment counted each. */
  count = 0;
  /** Of the newest record that is in it. */
  lastRecord = 0;
  readonly since: number;

  /** `since`: when it began, in milliseconds. */
  constructor(since: number) {
    this.since = since;
  }

  add(rows: PointRows): void {
    const { column, moments, value, type, isOther, others } = rows;
    const { ms, ns } = moments;
    for (let row = 0; row < rows.count; row++) {
      const number = column[row] as number;
      const target = this.#columns[number] ?? this.#open(number, type[row] as number);
      if (isOther[row] === 0) target.add(ms[row] as number, ns[row] as number, value[row] as number);
      else {
        const other = others[value[row] as number] as string | bigint;
        target.addOther({ ms: ms[row] as number, ns: ns[row] as number }, other);
      }
    }
    this.count += rows.count;
  }

  column(number: number): HeadColumn | undefined {
    return this.#columns[number];
  }

  /** Numbers of the columns that have values, in their order. */
  numbers(): readonly number[] {
    return this.#numbers.sort((a, b) => a - b);
  }

  #open(number: number, type: number): HeadColumn {
    // Holes are filled, so that the array stays one of pointers.
    while (this.#columns.length <= number) this.#columns.push(undefined);
    const made = new HeadColumn(FIELD_TYPES[type] ?? 'float');
    this.#columns[number] = made;
    this.#numbers.push(number);
    return made;
  }
}
