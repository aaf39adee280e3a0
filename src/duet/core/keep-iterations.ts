import type { Iterations } from '../../formats/core/iterations.ts';

/** The iterations at the positions that pass; the same columns when all do. */
export function keepIterations(side: Iterations, isKept: (position: number) => boolean): Iterations {
  const positions = new Int32Array(side.times.length);
  let kept = 0;
  for (let i = 0; i < positions.length; i++) if (isKept(i)) positions[kept++] = i;
  if (kept === positions.length) return side;
  // What passes is mostly everything from some position on: a view then does.
  if (kept === 0 || positions[0] === positions.length - kept) {
    return keepPositionsFrom(side, positions.length - kept);
  }
  return pick(side, positions.subarray(0, kept));
}

/** Everything from a position on, as views of the same columns. */
export function keepPositionsFrom(side: Iterations, from: number): Iterations {
  if (from === 0) return side;
  return {
    numbers: side.numbers.subarray(from),
    times: side.times.subarray(from),
    ...(side.starts && { starts: side.starts.subarray(from) }),
    ...(side.ends && { ends: side.ends.subarray(from) }),
  };
}

function pick(side: Iterations, positions: Int32Array): Iterations {
  const of = (column: Float64Array) => Float64Array.from(positions, (i) => column[i] as number); // from the same table
  return {
    numbers: positions.map((i) => side.numbers[i] as number),
    times: of(side.times),
    ...(side.starts && { starts: of(side.starts) }),
    ...(side.ends && { ends: of(side.ends) }),
  };
}
