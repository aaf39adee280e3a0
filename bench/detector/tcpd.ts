import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A series of the Turing Change Point Dataset, and where each of five people saw changes in it. */
export interface Annotated {
  readonly name: string;
  /** Not a number: a gap. */
  readonly values: Float64Array;
  readonly annotations: readonly (readonly number[])[];
}

/**
 * The series of one dimension that are in a checkout of the dataset. They have terms of their own, many of which are not
 * those of this project, so they are not kept here.
 */
export function readAnnotated(folder: string): readonly Annotated[] {
  const read = (...path: string[]) => JSON.parse(readFileSync(join(folder, ...path), 'utf8'));
  const all = read('annotations.json') as Record<string, Record<string, readonly number[]>>;
  return Object.entries(all).flatMap(([name, people]) => {
    const path = ['datasets', name, `${name}.json`];
    if (!existsSync(join(folder, ...path))) return [];
    const { series } = read(...path) as { series: readonly { raw: readonly (number | null)[] }[] };
    const [only] = series;
    if (only === undefined || series.length > 1) return [];
    const values = Float64Array.from(only.raw, (value) => value ?? Number.NaN);
    return [{ name, values, annotations: Object.values(people) }];
  });
}

/** As in van den Burg and Williams: An evaluation of change point detection algorithms (2020). */
export interface Agreement {
  readonly f1: number;
  readonly cover: number;
}

export function agreementOf(series: Annotated, found: readonly number[]): Agreement {
  const { annotations } = series;
  const mine = [0, ...found];
  const theirs = annotations.map((places) => [...new Set([0, ...places])]);
  const all = [...new Set(theirs.flat())].sort((a, b) => a - b);
  const precision = hits(all, mine) / mine.length;
  const recall = mean(theirs.map((places) => hits(places, mine) / places.length));
  const length = series.values.length;
  return {
    f1: (2 * precision * recall) / (precision + recall),
    cover: mean(theirs.map((places) => coverOf(partsOf(places, length), partsOf(mine, length)))),
  };
}

const MARGIN = 5;

/** How many of the true places are met, each by a found one of its own within the margin: the nearest that is left. */
function hits(truth: readonly number[], found: readonly number[]): number {
  const left = new Set(found);
  let count = 0;
  for (const place of truth) {
    const near = [...left].filter((at) => Math.abs(at - place) <= MARGIN);
    const nearest = near.sort((a, b) => Math.abs(a - place) - Math.abs(b - place))[0];
    if (nearest === undefined) continue;
    left.delete(nearest);
    count++;
  }
  return count;
}

type Part = readonly [from: number, to: number];

const partsOf = (places: readonly number[], length: number): readonly Part[] =>
  places.map((from, index) => [from, places[index + 1] ?? length]);

/** Each part of the truth counts by its length, and by how much of it and of its best counterpart both share. */
function coverOf(truth: readonly Part[], found: readonly Part[]): number {
  const length = truth.at(-1)?.[1] ?? 1;
  const shares = truth.map(
    (part) => (part[1] - part[0]) * Math.max(...found.map((one) => shared(part, one))),
  );
  return shares.reduce((sum, share) => sum + share, 0) / length;
}

function shared([a, b]: Part, [c, d]: Part): number {
  const both = Math.max(0, Math.min(b, d) - Math.max(a, c));
  return both / (b - a + d - c - both);
}

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
