import { ColumnDecoder, type NumberRange, readSummary } from '../core/codec/column-codec.ts';
import { countOf, mergeValues, partOf, within } from '../core/points/column-values.ts';
import type { PointStorage, StoredBlock } from '../core/points/point-storage.ts';
import {
  type ColumnValues,
  compareTimestamps,
  countBefore,
  justAfter,
  type Timestamp,
  type Timestamps,
  timestampAt,
} from '../core/points/points.ts';
import { beginsInside, type FoundSummaries, olderSummaries, TIER_SPANS_MS } from './blocks.ts';
import type { Memtable } from './memtable.ts';
import { memoryValues } from './read-column.ts';

/** A range in equal parts: count, minimum and maximum of the numbers in each; NaN where there are none. */
export interface Buckets {
  readonly count: Uint32Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
}

export interface BucketQuery {
  readonly column: number;
  readonly type: ColumnValues['type'];
  readonly range: { readonly from: Timestamp; readonly to: Timestamp };
  readonly buckets: number;
}

/** In one pass; a block that lies within one bucket is not decoded. */
export async function bucketColumn(
  storage: PointStorage,
  memtables: readonly Memtable[],
  query: BucketQuery,
): Promise<Buckets> {
  const newest = memoryValues(memtables, query);
  const sink = new BucketSink(query);
  const decoder = new ColumnDecoder();
  let { from } = query.range;
  let at = 0;
  let firstBlock: StoredBlock | undefined;
  for await (const block of storage.blocks({ columns: [query.column], range: query.range, tier: 0 })) {
    firstBlock ??= block;
    const before = countBefore(newest.timestamps, block.first);
    const end = Math.max(before, countBefore(newest.timestamps, justAfter(block.last)));
    if (before > at) sink.addValues(partOf(newest, at, before));
    const isAlone = end === before && compareTimestamps(block.first, from) >= 0;
    if (!isAlone || !sink.addWhole(block)) {
      const stored = within(decoder.decode(block.bytes), { from, to: query.range.to });
      sink.addValues(mergeValues(stored, partOf(newest, Math.max(at, before), end)));
    }
    at = Math.max(at, end);
    from = justAfter(block.last);
  }
  sink.addValues(partOf(newest, at, countOf(newest)));
  if (!beginsInside(firstBlock, query.range)) {
    for await (const found of olderSummaries(storage, query.column, query.range)) sink.addSummaries(found);
  }
  return sink.buckets;
}

class BucketSink {
  readonly buckets: Buckets;
  readonly #from: Timestamp;
  readonly #to: Timestamp;
  readonly #spanMs: number;

  constructor({ range: { from, to }, buckets }: BucketQuery) {
    this.#from = from;
    this.#to = to;
    this.#spanMs = to.ms - from.ms + (to.ns - from.ns) / 1e6;
    this.buckets = {
      count: new Uint32Array(buckets),
      min: new Float64Array(buckets).fill(Number.NaN),
      max: new Float64Array(buckets).fill(Number.NaN),
    };
  }

  /** False: the block spans several buckets, or exceeds the range. */
  addWhole({ first, last, bytes }: StoredBlock): boolean {
    const place = this.#bucketOf(first.ms, first.ns);
    if (place !== this.#bucketOf(last.ms, last.ns) || compareTimestamps(last, this.#to) >= 0) return false;
    const { range } = readSummary(bytes);
    if (range && range.numbers > 0) this.#add(place, range);
    return true;
  }

  /** Values are in time order: those of a bucket are neighbours, and only its ends are located. */
  addValues({ timestamps, numbers = new Float64Array(0) }: ColumnValues): void {
    for (let at = 0; at < numbers.length; ) {
      const place = this.#bucketAt(timestamps, at);
      const end = this.#endOf(place, timestamps, at);
      let [min, max, count] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
      for (; at < end; at++) {
        const value = numbers[at] as number;
        if (value < min) min = value;
        if (value > max) max = value;
        if (!Number.isNaN(value)) count++;
      }
      if (count > 0) this.#add(place, { min, max, numbers: count });
    }
  }

  addSummaries({ summaries: { timestamps, min, max, count }, places: [start, end] }: FoundSummaries): void {
    for (let i = start; min && max && i < end; i++) {
      const [low, high] = [min[i] as number, max[i] as number];
      const place = this.#bucketOf(timestamps.ms[i] as number, timestamps.ns[i] as number);
      if (low <= high) this.#add(place, { min: low, max: high, numbers: count[i] as number });
    }
  }

  #add(place: number, { min, max, numbers }: Omit<NumberRange, 'last'>): void {
    const { buckets } = this;
    const isFirst = buckets.count[place] === 0;
    buckets.min[place] = isFirst ? min : Math.min(buckets.min[place] as number, min);
    buckets.max[place] = isFirst ? max : Math.max(buckets.max[place] as number, max);
    buckets.count[place] = (buckets.count[place] as number) + numbers;
  }

  /** Where the values of this bucket end: exponential, then binary search. */
  #endOf(place: number, timestamps: Timestamps, start: number): number {
    const { length } = timestamps.ms;
    let [inside, step] = [start, 1];
    while (inside + step < length && this.#bucketAt(timestamps, inside + step) === place) {
      inside += step;
      step *= 2;
    }
    let outside = Math.min(inside + step, length);
    while (outside - inside > 1) {
      const middle = (inside + outside) >>> 1;
      if (this.#bucketAt(timestamps, middle) === place) inside = middle;
      else outside = middle;
    }
    return outside;
  }

  #bucketAt({ ms, ns }: Timestamps, at: number): number {
    return this.#bucketOf(ms[at] as number, ns[at] as number);
  }

  #bucketOf(ms: number, ns: number): number {
    const { length } = this.buckets.count;
    // Divided last: a timestamp on the edge of two buckets is not moved by a rounded width.
    const at = Math.floor(((ms - this.#from.ms + (ns - this.#from.ns) / 1e6) * length) / this.#spanMs);
    return Math.min(Math.max(at, 0), length - 1);
  }
}

/** The first and the last timestamp of a column. */
export interface ColumnExtent {
  readonly first: Timestamp;
  readonly last: Timestamp;
}

/** Over blocks, summaries and memory; undefined: it has no values. Decodes nothing. */
export async function columnExtent(
  storage: PointStorage,
  memtables: readonly Memtable[],
  column: number,
): Promise<ColumnExtent | undefined> {
  const ends: Timestamp[] = [];
  for (const memtable of memtables) {
    const timestamps = memtable.column(column)?.values().timestamps;
    const count = timestamps?.ms.length ?? 0;
    if (timestamps && count > 0) ends.push(timestampAt(timestamps, 0), timestampAt(timestamps, count - 1));
  }
  for (let tier = 0; tier < TIER_SPANS_MS.length; tier++) {
    for (const isNewestFirst of [false, true]) {
      for await (const block of storage.blocks({ columns: [column], range: {}, tier, isNewestFirst })) {
        ends.push(isNewestFirst ? block.last : block.first);
        break;
      }
    }
  }
  ends.sort(compareTimestamps);
  const [first, last] = [ends[0], ends.at(-1)];
  return first && last && { first, last };
}
