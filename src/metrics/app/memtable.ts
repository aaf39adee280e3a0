import { copyOf, countOf, noValues, partOf } from '../core/points/column-values.ts';
import {
  type ColumnValues,
  compareTimestamps,
  FIELD_TYPES,
  type FieldType,
  type PointRows,
  type Timestamp,
  timestampAt,
} from '../core/points/points.ts';

/** Batches of at least this many rows are kept as they came; smaller ones take more memory than their columns. */
const MANY_ROWS = 256;

/** What was written since the last flush began. Rows are split into columns when a column is read, or at the flush. */
export class Memtable {
  readonly #columns: (MemtableColumn | undefined)[] = [];
  readonly #numbers: number[] = [];
  /** Not split yet, oldest first. */
  #waiting: PointRows[] = [];
  /** Rows of each column, so that its arrays have their final size. */
  #counts: Uint32Array = new Uint32Array(1024);
  /** Values that were added; duplicates of a timestamp count each. */
  count = 0;
  /** Number of its newest log record. */
  lastRecord = 0;
  readonly since: number;

  /** `since`: when it began, in milliseconds. */
  constructor(since: number) {
    this.since = since;
  }

  /** The memtable owns the rows from then on. */
  add(rows: PointRows): void {
    for (let row = 0; row < rows.count; row++) {
      const number = rows.column[row] as number;
      if (number >= this.#counts.length) this.#counts = grownCounts(this.#counts, number);
      this.#counts[number] = (this.#counts[number] as number) + 1;
    }
    this.count += rows.count;
    this.#waiting.push(rows);
    if (rows.count < MANY_ROWS) this.split();
  }

  /** Splits at least `least` rows into columns; true when others are left. */
  split(least = Infinity): boolean {
    let done = 0;
    let batches = 0;
    for (; batches < this.#waiting.length && done < least; batches++) {
      const rows = this.#waiting[batches] as PointRows;
      this.#splitRows(rows);
      done += rows.count;
    }
    if (batches > 0) this.#waiting = this.#waiting.slice(batches);
    return this.#waiting.length > 0;
  }

  column(number: number): MemtableColumn | undefined {
    this.split();
    return this.#columns[number];
  }

  /** Numbers of the columns that have values, in their order. */
  numbers(): readonly number[] {
    this.split();
    return this.#numbers.sort((a, b) => a - b);
  }

  #splitRows({ count, column, timestamps: { ms, ns }, value, type, isOther, others }: PointRows): void {
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

  #open(number: number, type: number): MemtableColumn {
    // Holes are filled, so that the array stays one of pointers.
    while (this.#columns.length <= number) this.#columns.push(undefined);
    const made = new MemtableColumn(FIELD_TYPES[type] ?? 'float', this.#counts[number]);
    this.#columns[number] = made;
    this.#numbers.push(number);
    return made;
  }
}

function grownCounts(counts: Uint32Array, number: number): Uint32Array {
  const made = new Uint32Array(Math.max(2 * counts.length, number + 1));
  made.set(counts);
  return made;
}

/** Average moves of a value in an insertion sort, before another sort is used. */
const MAX_MOVES = 16;

/** The newest values of one column as they came: in any order, timestamps more than once. */
class MemtableColumn {
  readonly #type: FieldType;
  #ms: Float64Array;
  #ns: Int32Array;
  #numbers: Float64Array;
  /** Strings, and integers beyond 2^53, at the index of their values. */
  #others: (string | bigint | undefined)[] | undefined;
  #count = 0;
  #isSorted = true;

  /** `room`: how many values are expected. */
  constructor(type: FieldType, room = 0) {
    const size = Math.max(8, room);
    this.#type = type;
    this.#ms = new Float64Array(size);
    this.#ns = new Int32Array(size);
    this.#numbers = new Float64Array(size);
  }

  get count(): number {
    return this.#count;
  }

  add(ms: number, ns: number, value: number): void {
    let at = this.#count;
    if (at > 0) {
      const difference = ms - (this.#ms[at - 1] as number) || ns - (this.#ns[at - 1] as number);
      if (difference < 0) this.#isSorted = false;
      else if (difference === 0) at = --this.#count;
    }
    if (at === this.#ms.length) this.#grow();
    this.#ms[at] = ms;
    this.#ns[at] = ns;
    this.#numbers[at] = value;
    if (this.#others) this.#others[at] = undefined;
    this.#count = at + 1;
  }

  addOther({ ms, ns }: Timestamp, value: string | bigint): void {
    this.add(ms, ns, typeof value === 'bigint' ? Number(value) : 0);
    this.#others ??= [];
    this.#others[this.#count - 1] = value;
  }

  /** In time order, each timestamp once with the last value written for it. Shares the memory of the memtable. */
  values(): ColumnValues {
    if (this.#count === 0) return noValues(this.#type);
    if (!this.#isSorted) this.#sort();
    const count = this.#count;
    const timestamps = { ms: this.#ms.subarray(0, count), ns: this.#ns.subarray(0, count) };
    if (this.#type === 'string') {
      return {
        type: this.#type,
        timestamps,
        strings: Array.from({ length: count }, (_, i) => String(this.#others?.[i] ?? '')),
      };
    }
    const numbers = this.#numbers.subarray(0, count);
    const others = this.#others?.slice(0, count);
    if (!others?.some((other) => other !== undefined)) return { type: this.#type, timestamps, numbers };
    const values = Array.from(numbers, (number, i) => (others[i] as bigint | undefined) ?? BigInt(number));
    const bigints = this.#type === 'unsigned' ? BigUint64Array.from(values) : BigInt64Array.from(values);
    return { type: this.#type, timestamps, numbers, bigints };
  }

  /** The newest timestamp; undefined when there is none. */
  last(): Timestamp | undefined {
    if (this.#count === 0) return undefined;
    if (!this.#isSorted) this.#sort();
    return { ms: this.#ms[this.#count - 1] as number, ns: this.#ns[this.#count - 1] as number };
  }

  #grow(): void {
    const size = this.#ms.length * 2;
    const [ms, ns, numbers] = [new Float64Array(size), new Int32Array(size), new Float64Array(size)];
    ms.set(this.#ms);
    ns.set(this.#ns);
    numbers.set(this.#numbers);
    [this.#ms, this.#ns, this.#numbers] = [ms, ns, numbers];
  }

  #sort(): void {
    if (!this.#others && this.#insertionSort()) this.#dropDuplicates();
    else this.#fullSort();
    this.#isSorted = true;
  }

  /** Values from several connections are nearly in order: an insertion sort. False: they are not. */
  #insertionSort(): boolean {
    const [ms, ns, numbers] = [this.#ms, this.#ns, this.#numbers];
    for (let i = 1, moves = MAX_MOVES * this.#count; i < this.#count; i++) {
      const m = ms[i] as number;
      const n = ns[i] as number;
      const value = numbers[i] as number;
      let at = i;
      for (; at > 0 && ((ms[at - 1] as number) - m || (ns[at - 1] as number) - n) > 0; at--) {
        ms[at] = ms[at - 1] as number;
        ns[at] = ns[at - 1] as number;
        numbers[at] = numbers[at - 1] as number;
      }
      ms[at] = m;
      ns[at] = n;
      numbers[at] = value;
      moves -= i - at;
      if (moves < 0) return false;
    }
    return true;
  }

  /** Of values with the same timestamp the last one stays. */
  #dropDuplicates(): void {
    const [ms, ns, numbers] = [this.#ms, this.#ns, this.#numbers];
    let kept = 0;
    for (let i = 1; i < this.#count; i++) {
      if (ms[i] !== ms[kept] || ns[i] !== ns[kept]) kept++;
      ms[kept] = ms[i] as number;
      ns[kept] = ns[i] as number;
      numbers[kept] = numbers[i] as number;
    }
    this.#count = kept + 1;
  }

  #fullSort(): void {
    const [ms, ns] = [this.#ms, this.#ns];
    const order = Uint32Array.from({ length: this.#count }, (_, i) => i);
    order.sort(
      (a, b) => (ms[a] as number) - (ms[b] as number) || (ns[a] as number) - (ns[b] as number) || a - b,
    );
    const sorted = new MemtableColumn(this.#type, this.#count);
    for (const i of order) {
      const other = this.#others?.[i];
      if (other === undefined) sorted.add(ms[i] as number, ns[i] as number, this.#numbers[i] as number);
      else sorted.addOther({ ms: ms[i] as number, ns: ns[i] as number }, other);
    }
    this.#ms = sorted.#ms;
    this.#ns = sorted.#ns;
    this.#numbers = sorted.#numbers;
    this.#others = sorted.#others;
    this.#count = sorted.#count;
  }
}

/** The newest value of one column in memory. Newer memtables last. */
export function newestInMemory(memtables: readonly Memtable[], column: number): ColumnValues | undefined {
  let newest: ColumnValues | undefined;
  for (const memtable of memtables) {
    const values = memtable.column(column)?.values();
    if (values) newest = laterOf(newest, partOf(values, countOf(values) - 1, countOf(values)));
  }
  return newest && copyOf(newest);
}

/** Of two single values the later one; with the same timestamp the second, which was written later. */
export function laterOf(a: ColumnValues | undefined, b: ColumnValues | undefined): ColumnValues | undefined {
  if (!a || !b) return a ?? b;
  return compareTimestamps(timestampAt(a.timestamps, 0), timestampAt(b.timestamps, 0)) > 0 ? a : b;
}
