import type { IterationReading, Iterations } from '../../../formats/core/format.ts';
import { MAX_OFFSET_NS } from '../../../formats/core/iteration-reading.ts';
import type { Side } from '../../../git/core/version-pairs.ts';
import type { DuetIterations } from '../duet-iterations.ts';
import type { TableFile } from './iteration-table.ts';

/** Puts the iterations of result files together to runs, without a table in between. */
interface FileCollector {
  add(file: TableFile): void;
  finish(report: (note: string) => void): readonly DuetIterations[];
}

const BILLION = 1_000_000_000n;

export function collectRuns(): FileCollector {
  const runs = new Map<string, OpenRun>();
  return {
    add({ name: { suite, benchmark, type, runid, order, pair }, reading, artifacts, results }) {
      const key = JSON.stringify([results, suite, benchmark, type, runid, order]);
      let run = runs.get(key);
      if (run === undefined) {
        const host = artifacts.find(({ name }) => name === 'hostname')?.value;
        run = openRun({ environment: host || results, suite, benchmark, type, runid, order });
        runs.set(key, run);
      }
      addReading(run, pair, reading);
    },
    finish: (report) => [...runs.values()].map((run) => closeRun(run, report)),
  };
}

function addReading(
  run: OpenRun,
  pair: 'A' | 'B',
  { numbers, starts, ends, times, originNs }: IterationReading,
): void {
  const side = run[pair];
  const hasTimestamps = starts !== undefined && ends !== undefined;
  // NaN where there are no timestamps, or where they are months from those of the other side: then both are of no use.
  const base = hasTimestamps
    ? offsetIn(run, Number(originNs / BILLION), Number(originNs % BILLION))
    : Number.NaN;
  for (let at = 0; at < numbers.length; at++) {
    const start = hasTimestamps ? base + (starts[at] as number) : Number.NaN;
    const end = hasTimestamps ? base + (ends[at] as number) : Number.NaN;
    side.add(numbers[at] as number, start, end, times[at] as number);
  }
}

/** What a run is called; two runs may be called the same when they come from different folders. */
export type RunName = Omit<DuetIterations, 'originNs' | 'A' | 'B' | 'cpu'>;

/** One run whose iterations come in one after the other. */
export interface OpenRun {
  readonly name: RunName;
  readonly A: SideColumns;
  readonly B: SideColumns;
  /** Absent until the first timestamp is known. */
  origin: Origin | undefined;
}

export function openRun(name: RunName): OpenRun {
  return { name, A: new SideColumns(), B: new SideColumns(), origin: undefined };
}

/** The timestamp as nanoseconds from the origin of its run, which it becomes when it is the first. NaN: too far away. */
export function offsetIn(run: OpenRun, seconds: number, nanos: number): number {
  run.origin ??= { seconds, nanos };
  const offset = (seconds - run.origin.seconds) * 1e9 + (nanos - run.origin.nanos);
  return Math.abs(offset) < MAX_OFFSET_NS ? offset : Number.NaN;
}

/** The run as columns from its earliest timestamp on; what could not be kept is reported. */
export function closeRun({ name, A, B, origin }: OpenRun, report: (note: string) => void): DuetIterations {
  const earliest = Math.min(A.earliest(), B.earliest());
  const shift = Number.isFinite(earliest) ? earliest : 0;
  const sides: Partial<Record<Side, Iterations>> = {};
  for (const [side, columns] of [
    ['A', A],
    ['B', B],
  ] as const) {
    if (columns.size === 0) continue;
    const { withoutTimestamps, size } = columns;
    if (withoutTimestamps > 0 && withoutTimestamps < size)
      report(
        `${describeRun(name)}, ${side}: ${withoutTimestamps} of ${size} iterations have no timestamps, none is used`,
      );
    sides[side] = columns.finish(shift);
  }
  const originNs = BigInt(origin?.seconds ?? 0) * 1_000_000_000n + BigInt(origin?.nanos ?? 0) + BigInt(shift);
  return { ...name, originNs, ...sides };
}

function describeRun({ suite, benchmark, type, runid }: RunName): string {
  return [suite, benchmark, runid, type].filter((part) => part !== '').join('.');
}

/** The timestamp that a run counts from: whole seconds and nanoseconds, of which each fits a double. */
interface Origin {
  seconds: number;
  nanos: number;
}

/** Columns of one side of one run that grow as rows come; a million iterations cost no objects. */
class SideColumns {
  #numbers = new Int32Array(64);
  #starts = new Float64Array(64);
  #ends = new Float64Array(64);
  #times = new Float64Array(64);
  #size = 0;
  #isSorted = true;
  /** Iterations without timestamps: with one of them, no timestamp of the side is of use. */
  withoutTimestamps = 0;

  get size(): number {
    return this.#size;
  }

  /** Start and end count from the origin of the run; NaN where they are unknown. */
  add(number: number, start: number, end: number, time: number): void {
    if (this.#size === this.#numbers.length) this.#grow();
    const at = this.#size++;
    if (at > 0 && !(start >= (this.#starts[at - 1] as number))) this.#isSorted = false;
    if (Number.isNaN(start)) this.withoutTimestamps++;
    this.#numbers[at] = number;
    this.#starts[at] = start;
    this.#ends[at] = end;
    this.#times[at] = time;
  }

  earliest(): number {
    let least = Infinity;
    for (let at = 0; at < this.#size; at++) least = Math.min(least, this.#starts[at] as number);
    return least;
  }

  /** In the order of their starts (of their numbers, where there are no starts); timestamps `shift` earlier. */
  finish(shift: number): Iterations {
    const hasTimestamps = this.withoutTimestamps === 0;
    const order = this.#order(hasTimestamps);
    const numbers = order(this.#numbers.slice(0, this.#size));
    const times = order(this.#times.slice(0, this.#size));
    if (!hasTimestamps) return { numbers, times };
    const shifted = (column: Float64Array) =>
      order(column.slice(0, this.#size)).map((value) => value - shift);
    return { numbers, times, starts: shifted(this.#starts), ends: shifted(this.#ends) };
  }

  #order(hasTimestamps: boolean): <T extends Int32Array | Float64Array>(column: T) => T {
    if (hasTimestamps && this.#isSorted) return (column) => column;
    const keys = hasTimestamps ? this.#starts : this.#numbers;
    const places = Uint32Array.from({ length: this.#size }, (_, index) => index);
    places.sort((a, b) => (keys[a] as number) - (keys[b] as number) || a - b);
    return (column) => {
      const source = column.slice();
      for (const [to, from] of places.entries()) column[to] = source[from] as number;
      return column;
    };
  }

  #grow(): void {
    this.#numbers = doubled(this.#numbers, (length) => new Int32Array(length));
    this.#starts = doubled(this.#starts, (length) => new Float64Array(length));
    this.#ends = doubled(this.#ends, (length) => new Float64Array(length));
    this.#times = doubled(this.#times, (length) => new Float64Array(length));
  }
}

function doubled<T extends Int32Array | Float64Array>(array: T, make: (length: number) => T): T {
  const larger = make(array.length * 2);
  larger.set(array);
  return larger;
}
