import type { StoredColumn } from '../point-shelf.ts';
import type { FieldType, Tags } from '../points.ts';
import { type ByteKey, KeyTable } from './key-table.ts';
import { LineTrail } from './line-trail.ts';

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

/** Other spellings of the same keys (tags in another order) are remembered too, but not without end. */
const SPARE_SPELLINGS = 100_000;

/** The columns of one database: by name, and by the bytes that named them before. */
export class SeriesColumns {
  readonly numbers = new Set<number>();
  readonly #byName = new Map<string, Series>();
  readonly #byIndex: Series[] = [];
  /** A field has one type in all series of a measurement, as in InfluxDB. */
  readonly #uses = new Map<string, Map<string, FieldUse>>();
  readonly #heads = new KeyTable();
  readonly #fields = new KeyTable();
  /** Which lines follow each other. */
  readonly trail = new LineTrail(this.#heads, this.#fields);

  /** Index of the series that was spelled so, or -1. A plain spelling, without escapes, is expected again. */
  seriesSpelled(head: ByteKey, isPlain: boolean): number {
    const entry = this.#heads.entry(head);
    if (entry < 0) return -1;
    if (isPlain) this.trail.learnHead(entry);
    return this.#heads.value(entry);
  }

  /** Number of the column whose field was spelled so, or -1. The owner of the key is the index of its series. */
  columnSpelled(field: ByteKey, isPlain: boolean): number {
    const entry = this.#fields.entry(field);
    if (entry < 0) return -1;
    if (isPlain) this.trail.learnField(entry);
    return this.#fields.value(entry);
  }

  rememberSeries(head: ByteKey, { index }: Series): void {
    if (this.#heads.count > 2 * this.#byIndex.length + SPARE_SPELLINGS) this.#clear(this.#heads);
    this.#heads.add(head, index);
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
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
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

  /** Must follow removals: bytes may still name what is gone. */
  forgetSpellings(): void {
    this.#clear(this.#fields);
  }

  #clear(table: KeyTable): void {
    table.clear();
    this.trail.forget();
  }
}

function seriesName(measurement: string, tags: Tags): string {
  return tags.length === 0 ? measurement : JSON.stringify([measurement, tags]);
}
