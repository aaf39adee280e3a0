import type { StoredColumn } from '../point-shelf.ts';
import { FIELD_TYPES, type FieldKey, type FieldType } from '../points.ts';
import { type Series, SeriesColumns } from './series-columns.ts';

/** Gives each field of each series of each database a number, once, and knows the way back. */
export class ColumnBook {
  readonly #columns: (StoredColumn | undefined)[] = [];
  readonly #databases = new Map<string, SeriesColumns>();
  /** Columns of databases in their order, until one comes or goes. */
  readonly #sorted = new Map<string, readonly StoredColumn[]>();
  #made: StoredColumn[] = [];
  #types = new Uint8Array(1024);
  #size = 0;

  /** How many columns there are. */
  get size(): number {
    return this.#size;
  }

  /** Takes a column that has a number already; of this series, where that is known. */
  add(column: StoredColumn, series?: Series): void {
    if (this.#columns[column.number] !== undefined) return;
    // Holes are filled, so that the array stays one of pointers.
    while (this.#columns.length < column.number) this.#columns.push(undefined);
    this.#columns[column.number] = column;
    this.#size++;
    while (column.number >= this.#types.length) {
      const types = new Uint8Array(2 * this.#types.length);
      types.set(this.#types);
      this.#types = types;
    }
    this.#types[column.number] = FIELD_TYPES.indexOf(column.type);
    this.database(column.database).add(column, series);
    this.#sorted.delete(column.database);
  }

  /** The column of a number that was given and not removed. */
  at(number: number): StoredColumn {
    const column = this.#columns[number];
    if (column === undefined) throw new RangeError(`There is no column ${number}.`);
    return column;
  }

  /** Index in FIELD_TYPES of a column's type. */
  typeCode(number: number): number {
    return this.#types[number] as number;
  }

  find(database: string, { measurement, tags, field }: FieldKey): number | undefined {
    return this.#databases.get(database)?.findSeries(measurement, tags)?.columns.get(field);
  }

  /** In the order of their numbers; the same array as long as they are the same. */
  columns(database: string): readonly StoredColumn[] {
    const known = this.#sorted.get(database);
    if (known) return known;
    const numbers = this.#databases.get(database)?.numbers ?? [];
    const sorted = [...numbers].sort((a, b) => a - b).map((number) => this.at(number));
    this.#sorted.set(database, sorted);
    return sorted;
  }

  /** Columns that were made since the last call. */
  takeNew(): readonly StoredColumn[] {
    const made = this.#made;
    this.#made = [];
    return made;
  }

  /** Forgets columns; their numbers are not given again. */
  remove(numbers: Iterable<number>): void {
    const touched = new Set<SeriesColumns>();
    for (const number of numbers) {
      const column = this.#columns[number];
      if (column === undefined) continue;
      const database = this.database(column.database);
      database.remove(column);
      this.#sorted.delete(column.database);
      touched.add(database);
      this.#columns[number] = undefined;
      this.#size--;
    }
    for (const database of touched) database.forgetSpellings();
    this.#made = this.#made.filter(({ number }) => this.#columns[number] !== undefined);
  }

  /** What reading lines looks into. */
  database(name: string): SeriesColumns {
    const known = this.#databases.get(name);
    if (known !== undefined) return known;
    const made = new SeriesColumns();
    this.#databases.set(name, made);
    return made;
  }

  /** A new column of a series; its field must not have one. */
  make(database: string, series: Series, [field, type]: readonly [string, FieldType]): number {
    const { measurement, tags } = series;
    const number = this.#columns.length;
    const column: StoredColumn = { database, number, measurement, tags, field, type };
    this.add(column, series);
    this.#made.push(column);
    return number;
  }
}
