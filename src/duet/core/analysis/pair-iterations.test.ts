import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Iterations } from '../../../formats/core/format.ts';
import { findOverlaps, type Pairs, pairIterations, type Spans, sweepOverlaps } from './pair-iterations.ts';

const options = { pairing: 'exact', minOverlap: 0.4 } as const;

function side(numbers: readonly number[], starts?: readonly number[]): Iterations {
  const times = Float64Array.from(numbers, () => 10);
  if (!starts) return { numbers: Int32Array.from(numbers), times };
  return {
    numbers: Int32Array.from(numbers),
    starts: Float64Array.from(starts),
    ends: Float64Array.from(starts, (start) => start + 10),
    times,
  };
}

const positions = ({ a, b }: Pairs) => Array.from(a, (i, k) => [i, b[k]]);

test('sides that ran freely are paired by overlap, whatever their numbers', () => {
  const pairs = pairIterations({ type: 'duet', A: side([0, 1], [0, 10]), B: side([7, 8], [1, 11]) }, options);
  assert.deepEqual(positions(pairs), [
    [0, 0],
    [1, 1],
  ]);
  assert.deepEqual([...pairs.weights], [9, 9]);
  assert.equal(pairs.weak, 1);
});

test('synchronised and sequential runs are paired by number, and who has no partner is left', () => {
  for (const type of ['syncduet', 'seqn'] as const) {
    const pairs = pairIterations(
      { type, A: side([1, 2, 4], [0, 10, 20]), B: side([2, 3, 4], [0, 10, 20]) },
      options,
    );
    assert.deepEqual(positions(pairs), [
      [1, 0],
      [2, 2],
    ]);
    assert.deepEqual([...pairs.weights], [1, 1]);
  }
});

test('without timestamps duets are paired by number too, also when numbers come unsorted or twice', () => {
  const pairs = pairIterations({ type: 'duet', A: side([3, 1, 1]), B: side([1, 3, 1, 1]) }, options);
  assert.deepEqual(positions(pairs), [
    [1, 0],
    [2, 2],
    [0, 1],
  ]);
});

type Span = readonly [start: number, end: number];
type Triple = readonly [a: number, b: number, overlap: number];
interface Case {
  readonly A: readonly Span[];
  readonly B: readonly Span[];
  readonly pairs: readonly Triple[];
}

const golden = JSON.parse(readFileSync('test/golden/duet/overlaps.json', 'utf8')) as Record<string, Case>;
const missed: Case = {
  A: [
    [0, 1000],
    [1000, 2000],
  ],
  B: [
    [50, 500],
    [500, 990],
  ],
  pairs: [[0, 0, 450]],
};

function spans(all: readonly Span[]): Spans {
  return {
    starts: Float64Array.from(all, ([start]) => start),
    ends: Float64Array.from(all, ([, end]) => end),
    times: Float64Array.from(all, ([start, end]) => end - start),
  };
}

function triples({ a, b, weights }: Pairs): Triple[] {
  const all = Array.from(a, (i, k): Triple => [i, b[k] ?? -1, weights[k] ?? -1]);
  return all.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
}

/** The definition, written down as it is. */
function quadratic(A: readonly Span[], B: readonly Span[], minOverlap: number): Triple[] {
  return A.flatMap(([startA, endA], i) =>
    B.flatMap(([startB, endB], j): Triple[] => {
      const overlap = Math.min(endA, endB) - Math.max(startA, startB);
      const isEnough = overlap > minOverlap * (endA - startA) && overlap > minOverlap * (endB - startB);
      return overlap > 0 && isEnough ? [[i, j, overlap]] : [];
    }),
  );
}

test('the sweep finds the pairs of the original', () => {
  assert.equal(Object.keys(golden).length, 6);
  for (const [name, { A, B, pairs }] of Object.entries({ ...golden, missed })) {
    assert.deepEqual(triples(sweepOverlaps(spans(A), spans(B), 0)), [...pairs], name);
  }
});

test('the exact way finds the pairs that the sweep loses', () => {
  const counts = { ...golden, 'missed-pair-above-0.4': missed };
  const found = Object.entries(counts).map(([name, { A, B }]) => [
    name,
    findOverlaps(spans(A), spans(B), 0).count,
  ]);
  assert.deepEqual(Object.fromEntries(found), {
    identical: 1,
    touching: 0,
    gaps: 2,
    drift: 3,
    'long-A-three-short-B': 3,
    'long-B-three-short-A': 3,
    'missed-pair-above-0.4': 2,
  });
  assert.deepEqual(triples(findOverlaps(spans(missed.A), spans(missed.B), 0.4)), [
    [0, 0, 450],
    [0, 1, 490],
  ]);
});

test('an overlap of exactly the smallest share does not count', () => {
  const A = spans([[0, 10]]);
  for (const find of [findOverlaps, sweepOverlaps]) {
    const [at, above] = [find(A, spans([[6, 16]]), 0.4), find(A, spans([[5, 15]]), 0.4)];
    assert.deepEqual([at.count, at.weak], [0, 1]);
    assert.deepEqual([above.count, above.weak], [1, 0]);
  }
  const long = findOverlaps(A, spans([[0, 25]]), 0.4);
  assert.deepEqual([long.count, long.weak], [0, 1], 'the share must be reached of both sides');
});

test('exact pairs are all pairs, in whatever order iterations come and however they overlap', () => {
  const side = fc.array(fc.tuple(fc.nat(60), fc.nat(12)), { maxLength: 25 });
  const share = fc.constantFrom(0, 0.25, 0.4, 0.9);
  fc.assert(
    fc.property(side, side, share, (rawA, rawB, minOverlap) => {
      const [A, B] = [rawA, rawB].map((raw) => raw.map(([start, time]): Span => [start, start + time]));
      assert.ok(A && B);
      const found = findOverlaps(spans(A), spans(B), minOverlap);
      assert.deepEqual(triples(found), quadratic(A, B, minOverlap));
      assert.equal(found.count + found.weak, quadratic(A, B, 0).length);
    }),
    { numRuns: 500 },
  );
});

test('the sweep finds a part of the exact pairs', () => {
  const side = fc.array(fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 12 })), { maxLength: 25 });
  fc.assert(
    fc.property(side, side, (rawA, rawB) => {
      const [A, B] = [rawA, rawB].map((raw) =>
        spans(raw.map(([start, time]): Span => [start, start + time])),
      );
      assert.ok(A && B);
      const exact = new Set(triples(findOverlaps(A, B, 0)).map(String));
      for (const pair of triples(sweepOverlaps(A, B, 0))) assert.ok(exact.has(String(pair)));
    }),
  );
});
