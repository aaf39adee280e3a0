import type { StoredColumn } from '../points/point-storage.ts';
import { FIELD_TYPES, type FieldKey, type FieldType, type Tags } from '../points/points.ts';
import { type ByteKey, ByteKeyTable, LinePredictor } from './byte-key-table.ts';

/** Assigns a number to each field of each series of each database, once, and finds the column of a number. */
export class ColumnRegistry {
  readonly #columns: (StoredColumn | undefined)[] = [];
  readonly #databases = new Map<string, SeriesIndex>();
  /** Sorted columns of databases, until one is added or removed. */
  readonly #sorted = new Map<string, readonly StoredColumn[]>();
  #created: StoredColumn[] = [];
  #types = new Uint8Array(1024);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds a column that has a number already. */
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

  /** The column of a number that was assigned and not removed. */
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
    const cached = this.#sorted.get(database);
    if (cached) return cached;
    const numbers = this.#databases.get(database)?.numbers ?? [];
    const sorted = [...numbers].sort((a, b) => a - b).map((number) => this.at(number));
    this.#sorted.set(database, sorted);
    return sorted;
  }

  /** Columns that were created since the last call. */
  takeNew(): readonly StoredColumn[] {
    const created = this.#created;
    this.#created = [];
    return created;
  }

  /** Removes columns; their numbers are not assigned again. */
  remove(numbers: Iterable<number>): void {
    const touched = new Set<SeriesIndex>();
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
    this.#created = this.#created.filter(({ number }) => this.#columns[number] !== undefined);
  }

  database(name: string): SeriesIndex {
    const existing = this.#databases.get(name);
    if (existing !== undefined) return existing;
    const created = new SeriesIndex();
    this.#databases.set(name, created);
    return created;
  }

  /** A new column of a series; its field must not have one. */
  create(database: string, series: Series, [field, type]: readonly [string, FieldType]): number {
    const { measurement, tags } = series;
    const number = this.#columns.length;
    const column: StoredColumn = { database, number, measurement, tags, field, type };
    this.add(column, series);
    this.#created.push(column);
    return number;
  }
}

/** Measurement and tags: what has fields. */
export interface Series {
  readonly index: number;
  readonly measurement: string;
  readonly tags: Tags;
  /** Numbers of columns by field. */
  readonly columns: Map<string, number>;
}

interface FieldUse {
  readonly type: FieldType;
  columns: number;
}

/** Other spellings of the same keys (tags in another order) are cached too, up to this many. */
const SPARE_SPELLINGS = 100_000;

/** The series and columns of one database: by name, and by the bytes of earlier lines. */
export class SeriesIndex {
  readonly numbers = new Set<number>();
  readonly #byName = new Map<string, Series>();
  readonly #byIndex: Series[] = [];
  /** A field has one type in all series of a measurement, as in InfluxDB. */
  readonly #uses = new Map<string, Map<string, FieldUse>>();
  readonly #series = new ByteKeyTable();
  readonly #fields = new ByteKeyTable();
  readonly predictor = new LinePredictor(this.#series, this.#fields);

  /** Index of the series with this spelling, or -1. A plain spelling, without escapes, is expected again. */
  seriesSpelled(key: ByteKey, isPlain: boolean): number {
    const entry = this.#series.entry(key);
    if (entry < 0) return -1;
    if (isPlain) this.predictor.learnSeries(entry);
    return this.#series.value(entry);
  }

  /** Number of the column whose field has this spelling, or -1. The owner of the key is the index of its series. */
  columnSpelled(field: ByteKey, isPlain: boolean): number {
    const entry = this.#fields.entry(field);
    if (entry < 0) return -1;
    if (isPlain) this.predictor.learnField(entry);
    return this.#fields.value(entry);
  }

  rememberSeries(key: ByteKey, { index }: Series): void {
    if (this.#series.count > 2 * this.#byIndex.length + SPARE_SPELLINGS) this.#clear(this.#series);
    this.#series.add(key, index);
  }

  rememberColumn(field: ByteKey, column: number): void {
    if (this.#fields.count > 2 * this.numbers.size + SPARE_SPELLINGS) this.#clear(this.#fields);
    this.#fields.add(field, column);
  }

  series(index: number): Series {
    return this.#byIndex[index] as Series;
  }

  findSeries(measurement: string, tags: Tags): Series | undefined {
    return this.#byName.get(seriesName(measurement, tags));
  }

  openSeries(measurement: string, tags: Tags): Series {
    const name = seriesName(measurement, tags);
    const existing = this.#byName.get(name);
    if (existing !== undefined) return existing;
    const series = { index: this.#byIndex.length, measurement, tags, columns: new Map<string, number>() };
    this.#byName.set(name, series);
    this.#byIndex.push(series);
    return series;
  }

  typeOf(measurement: string, field: string): FieldType | undefined {
    return this.#uses.get(measurement)?.get(field)?.type;
  }

  add({ measurement, tags, field, number, type }: StoredColumn, series?: Series): void {
    (series ?? this.openSeries(measurement, tags)).columns.set(field, number);
    this.numbers.add(number);
    const fields = this.#uses.get(measurement) ?? new Map<string, FieldUse>();
    this.#uses.set(measurement, fields);
    const use = fields.get(field) ?? { type, columns: 0 };
    use.columns++;
    fields.set(field, use);
  }

  /** A field without any column has no type any more. */
  remove({ measurement, tags, field, number }: StoredColumn): void {
    const series = this.findSeries(measurement, tags);
    series?.columns.delete(field);
    this.numbers.delete(number);
    const fields = this.#uses.get(measurement);
    const use = fields?.get(field);
    if (use !== undefined && --use.columns === 0) fields?.delete(field);
    if (fields?.size === 0) this.#uses.delete(measurement);
  }

  /** Must follow removals: cached spellings may name removed columns. */
  forgetSpellings(): void {
    this.#clear(this.#fields);
  }

  #clear(table: ByteKeyTable): void {
    table.clear();
    this.predictor.forget();
  }
}

function seriesName(measurement: string, tags: Tags): string {
  return tags.length === 0 ? measurement : JSON.stringify([measurement, tags]);
}
