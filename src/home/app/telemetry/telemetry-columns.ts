import type { Reading } from '../../core/machine/telemetry-source.ts';

/** All readings of one sensor in one recording: numbers in typed arrays, texts by their place in a small list. */
export interface TelemetryColumn {
  readonly group: string;
  readonly label: string;
  readonly unit: string;
  readonly length: number;
  /** Seconds since the start of the recording; infinity behind the last one. */
  elapsedAt(index: number): number;
  valueAt(index: number): number | string;
}

export interface ColumnBuilder {
  add(elapsedSeconds: number, readings: readonly Reading[]): void;
  /** In the order in which they first appeared. */
  columns(): readonly TelemetryColumn[];
}

/** Collects samples without an object for each: a night at one sample a second has millions of readings. */
export function columnBuilder(): ColumnBuilder {
  const columns = new Map<string, GrowingColumn>();
  return {
    add(elapsedSeconds, readings) {
      for (const reading of readings) {
        // A value that is not a number (NaN, an overflow) has no place in JSON.
        if (typeof reading.value === 'number' && !Number.isFinite(reading.value)) continue;
        const key = `${reading.group}\n${reading.label}`;
        let column = columns.get(key);
        if (!column) {
          column = new GrowingColumn(reading);
          columns.set(key, column);
        }
        column.add(elapsedSeconds, reading.value);
      }
    },
    columns: () => [...columns.values()],
  };
}

class GrowingColumn implements TelemetryColumn {
  readonly group: string;
  readonly label: string;
  readonly unit: string;
  length = 0;
  #elapsed = new Float64Array(16);
  #values = new Float64Array(16);
  /** 1 where the value is the place of a text. */
  #isText = new Uint8Array(16);
  readonly #texts: string[] = [];

  constructor({ group, label, unit }: Reading) {
    this.group = group;
    this.label = label;
    this.unit = unit;
  }

  add(elapsed: number, value: number | string): void {
    // Of two readings at one time the first counts.
    if (this.length > 0 && this.#elapsed[this.length - 1] === elapsed) return;
    if (this.length === this.#elapsed.length) this.#grow();
    this.#elapsed[this.length] = elapsed;
    this.#values[this.length] = typeof value === 'number' ? value : this.#placeOf(value);
    this.#isText[this.length] = typeof value === 'number' ? 0 : 1;
    this.length++;
  }

  elapsedAt(index: number): number {
    return index < this.length
      ? (this.#elapsed[index] ?? Number.POSITIVE_INFINITY)
      : Number.POSITIVE_INFINITY;
  }

  valueAt(index: number): number | string {
    const value = this.#values[index] ?? Number.NaN;
    return this.#isText[index] === 1 ? (this.#texts[value] ?? '') : value;
  }

  #placeOf(text: string): number {
    const place = this.#texts.indexOf(text);
    return place >= 0 ? place : this.#texts.push(text) - 1;
  }

  #grow(): void {
    const size = this.#elapsed.length * 2;
    const [elapsed, values, isText] = [new Float64Array(size), new Float64Array(size), new Uint8Array(size)];
    elapsed.set(this.#elapsed);
    values.set(this.#values);
    isText.set(this.#isText);
    this.#elapsed = elapsed;
    this.#values = values;
    this.#isText = isText;
  }
}
