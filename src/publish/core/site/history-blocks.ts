import { Fingerprint, textHash } from '../../../platform/core/text/change-hash.ts';
import { cachedJson } from '../../../platform/core/text/json.ts';

/** The columns of a history of an experiment, as readHistory of the dashboard returns them; the rest of it is left as it is. */
export interface HistoryColumns {
  readonly runs: RunColumns;
  readonly series: readonly SeriesColumns[];
}

interface RunColumns {
  readonly ids: readonly string[];
  readonly times: readonly number[];
  readonly commits: readonly number[];
  readonly commitSets: readonly unknown[];
  readonly machines: readonly number[];
  readonly machineNames: readonly string[];
}

interface SeriesColumns {
  readonly path: readonly string[];
  readonly places: readonly number[];
  readonly values: readonly (number | null)[];
}

/** Some runs of a history that follow one another. It holds nothing of other runs: while its own stay the same, so does it. */
export interface HistoryBlock extends RunColumns {
  readonly series: readonly SeriesColumns[];
}

export interface SplitHistory {
  /** Everything but the columns, and the names of the blocks that have them. */
  readonly head: unknown;
  readonly blocks: ReadonlyMap<string, LazyBlock>;
}

/** A block that is made on demand: most did not change. */
export interface LazyBlock {
  /** Changes with anything in the block. */
  fingerprint(): string;
  make(): HistoryBlock;
}

/** Fewer runs are one document: a block is a file, and a request of the page. */
const SPLIT_FROM = 256;
const LEAST = 64;
const MOST = 256;
/** A boundary at one of so many runs. */
const ONE_OF = 64;

/**
 * Cuts a history into blocks by the names of runs, not by their number: one more run at the end, or one less at the
 * beginning, leaves all other blocks as they are, and only what is new has to be published.
 */
export function splitHistory(history: HistoryColumns): SplitHistory {
  const { ids } = history.runs;
  if (ids.length < SPLIT_FROM) return { head: history, blocks: new Map() };
  const starts = startsOf(ids);
  const blocks = new Map<string, LazyBlock>();
  const cursors = history.series.map(() => 0);
  for (const [index, from] of starts.entries()) {
    const to = starts[index + 1] ?? ids.length;
    const range = { from, to, ranges: rangesOf(history, to, cursors) };
    blocks.set(ids[from] as string, {
      fingerprint: () => fingerprintOf(history, range),
      make: () => blockOf(history, range),
    });
  }
  const { ids: _, times, commits, commitSets, machines, machineNames, ...runs } = history.runs;
  const series = history.series.map(({ places: _places, values, ...rest }) => rest);
  return { head: { ...history, runs, series, blocks: [...blocks.keys()] }, blocks };
}

/** The blocks that a document names; undefined: it is whole. */
export function blocksOf(document: unknown): readonly string[] | undefined {
  const { blocks } = (document ?? {}) as { readonly blocks?: unknown };
  return Array.isArray(blocks) && blocks.every((name) => typeof name === 'string') ? blocks : undefined;
}

/** The address of a block of the document at another address. */
export function blockAddress(address: string, block: string): string {
  return `${address}${address.includes('?') ? '&' : '?'}block=${encodeURIComponent(block)}`;
}

/** Puts a split history together again. */
export function joinHistory(head: unknown, blocks: readonly HistoryBlock[]): unknown {
  const {
    blocks: _,
    runs,
    series,
    ...rest
  } = head as {
    readonly blocks: unknown;
    readonly runs: object;
    readonly series: readonly { readonly path: readonly string[] }[];
  };
  const commits = numbered<unknown>();
  const machines = numbered<string>();
  const columns = new Map<string, { places: number[]; values: (number | null)[] }>();
  let first = 0;
  const all = {
    ids: [] as string[],
    times: [] as number[],
    commits: [] as number[],
    machines: [] as number[],
  };
  for (const block of blocks) {
    all.ids.push(...block.ids);
    all.times.push(...block.times);
    all.commits.push(...block.commits.map((place) => commits.numberOf(block.commitSets, place)));
    all.machines.push(...block.machines.map((place) => machines.numberOf(block.machineNames, place)));
    for (const { path, places, values } of block.series) {
      const own = columnOf(columns, path);
      for (const place of places) own.places.push(first + place);
      own.values.push(...values);
    }
    first += block.ids.length;
  }
  return {
    ...rest,
    runs: { ...runs, ...all, commitSets: commits.all, machineNames: machines.all },
    series: series.map((one) => ({ ...one, ...columnOf(columns, one.path) })),
  };
}

function startsOf(ids: readonly string[]): readonly number[] {
  const starts = [0];
  for (const [place, id] of ids.entries()) {
    const length = place - (starts.at(-1) ?? 0);
    if (length >= MOST || (length >= LEAST && isBoundary(id))) starts.push(place);
  }
  return starts;
}

function isBoundary(id: string): boolean {
  return Number.parseInt(textHash(id).slice(-6), 36) % ONE_OF === 0;
}

interface BlockRange {
  readonly from: number;
  readonly to: number;
  /** Of each series, its values that are in the block. */
  readonly ranges: readonly (readonly [start: number, end: number])[];
}

/** `cursors`: of each series, the first value that is in no block yet; moved on. */
function rangesOf({ series }: HistoryColumns, to: number, cursors: number[]): BlockRange['ranges'] {
  return series.map(({ places }, index) => {
    const start = cursors[index] ?? 0;
    let end = start;
    while (end < places.length && (places[end] as number) < to) end++;
    cursors[index] = end;
    return [start, end];
  });
}

function fingerprintOf({ runs, series }: HistoryColumns, { from, to, ranges }: BlockRange): string {
  const print = new Fingerprint();
  for (let place = from; place < to; place++) {
    print.text(runs.ids[place] as string);
    print.number(runs.times[place] as number);
    print.text(textOf(runs.commitSets[runs.commits[place] ?? -1]));
    print.text(textOf(runs.machineNames[runs.machines[place] ?? -1]));
  }
  const inOrder = series.map((one, index) => ({ ...one, key: keyOf(one.path), range: ranges[index] }));
  for (const { key, places, values, range = [0, 0] } of inOrder.sort((a, b) => (a.key < b.key ? -1 : 1))) {
    if (range[0] === range[1]) continue;
    print.text(key);
    for (let at = range[0]; at < range[1]; at++) {
      print.number((places[at] as number) - from);
      print.number(values[at] ?? Number.NaN);
    }
  }
  return print.digest();
}

function textOf(one: unknown): string {
  return typeof one === 'object' && one !== null ? cachedJson(one) : String(one);
}

function blockOf({ runs, series }: HistoryColumns, { from, to, ranges }: BlockRange): HistoryBlock {
  const commits = numbered<unknown>();
  const machines = numbered<string>();
  const own = series.map(({ path, places, values }, index) => {
    const [start, end] = ranges[index] ?? [0, 0];
    return {
      path,
      places: places.slice(start, end).map((place) => place - from),
      values: values.slice(start, end),
    };
  });
  return {
    ids: runs.ids.slice(from, to),
    times: runs.times.slice(from, to),
    commits: runs.commits.slice(from, to).map((place) => commits.numberOf(runs.commitSets, place)),
    commitSets: commits.all,
    machines: runs.machines.slice(from, to).map((place) => machines.numberOf(runs.machineNames, place)),
    machineNames: machines.all,
    // The order of series on the page follows the news of the day; it must not change old blocks.
    series: own
      .filter(({ places }) => places.length > 0)
      .sort((a, b) => (keyOf(a.path) < keyOf(b.path) ? -1 : 1)),
  };
}

function columnOf<T>(columns: Map<string, { places: number[]; values: T[] }>, path: readonly string[]) {
  const key = keyOf(path);
  const known = columns.get(key);
  if (known) return known;
  const own = { places: [], values: [] };
  columns.set(key, own);
  return own;
}

function keyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}

/** Numbers the entries of another list in order of appearance; -1 stays -1. */
function numbered<T>() {
  const numbers = new Map<string, number>();
  const all: T[] = [];
  const numberOf = (list: readonly T[], place: number): number => {
    if (place < 0 || place >= list.length) return -1;
    const key = textOf(list[place]);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, all.length);
    return all.push(list[place] as T) - 1;
  };
  return { all, numberOf };
}
