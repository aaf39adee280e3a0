import { FIELD_TYPES, type PointRows } from '../core/points/points.ts';
import { HeadColumn } from './head-column.ts';

/** Rows that are worth keeping as they came; fewer would take more memory than they need in columns. */
const MANY_ROWS = 256;

/** What came since the last settling began. Rows are parted into columns when somebody looks at those, or it settles. */
export class Head {
  readonly #columns: (HeadColumn | undefined)[] = [];
  readonly #numbers: number[] = [];
  /** Not parted yet, oldest first. */
  #waiting: PointRows[] = [];
  /** Rows of each column, so that its arrays are made as large as they must be. */
  #counts: Uint32Array = new Uint32Array(1024);
  /** Values that were added, those of the same moment counted each. */
  count = 0;
  /** Of the newest record that is in it. */
  lastRecord = 0;
  readonly since: number;

  /** `since`: when it began, in milliseconds. */
  constructor(since: number) {
    this.since = since;
  }

  /** The rows belong to the head from then on. */
  add(rows: PointRows): void {
    for (let row = 0; row < rows.count; row++) {
      const number = rows.column[row] as number;
      if (number >= this.#counts.length) this.#counts = larger(this.#counts, number);
      this.#counts[number] = (this.#counts[number] as number) + 1;
    }
    this.count += rows.count;
    this.#waiting.push(rows);
    if (rows.count < MANY_ROWS) this.part();
  }

  /** Parts at least so many rows into columns, if there are; whether others still wait. */
  part(least = Infinity): boolean {
    let parted = 0;
    let batches = 0;
    for (; batches < this.#waiting.length && parted < least; batches++) {
      const rows = this.#waiting[batches] as PointRows;
      this.#partRows(rows);
      parted += rows.count;
    }
    if (batches > 0) this.#waiting = this.#waiting.slice(batches);
    return this.#waiting.length > 0;
  }

  column(number: number): HeadColumn | undefined {
    this.part();
    return this.#columns[number];
  }

  /** Numbers of the columns that have values, in their order. */
  numbers(): readonly number[] {
    this.part();
    return this.#numbers.sort((a, b) => a - b);
  }

  #partRows({ count, column, moments: { ms, ns }, value, type, isOther, others }: PointRows): void {
    for (let row = 0; row < count; row++) {
      const number = column[row] as number;
      const target = this.#columns[number] ?? this.#open(number, type[row] as number);
      if (isOther[row] === 0) target.add(ms[row] as number, ns[row] as number, value[row] as number);
      else {
        const other = others[value[row] as number] as string | bigint;
        target.addOther({ ms: ms[row] as number, ns: ns[row] as number }, other);
      }
    }
  }

  #open(number: number, type: number): HeadColumn {
    // Holes are filled, so that the array stays one of pointers.
    while (this.#columns.length <= number) this.#columns.push(undefined);
    const made = new HeadColumn(FIELD_TYPES[type] ?? 'float', this.#counts[number]);
    this.#columns[number] = made;
    this.#numbers.push(number);
    return made;
  }
}

function larger(counts: Uint32Array, number: number): Uint32Array {
  const made = new Uint32Array(Math.max(2 * counts.length, number + 1));
  made.set(counts);
  return made;
}
