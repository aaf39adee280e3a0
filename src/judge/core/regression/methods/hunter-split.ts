import { bestCut } from './e-divisive.ts';
import { type Cut, testCut } from './hunter-test.ts';

const WINDOW = 50;
/** Laxer than the last word: what is weak is merged away later. */
const MAX_P = 0.01;

/** Cuts of the whole series, window by window, so that the work grows with its length only. */
export function splitSeries(series: Float64Array): readonly Cut[] {
  const indexes: number[] = [];
  let start = 0;
  while (start < series.length) {
    const window = series.subarray(start, start + WINDOW);
    const found = cutsOfWindow(window).map((index) => index + start);
    indexes.push(...found);
    start = Math.max(found.at(-1) ?? 0, start + WINDOW / 2);
  }
  const ends = [0, ...indexes, series.length];
  return indexes.flatMap(
    (index, at) => testCut(series, index, { from: ends[at] ?? 0, to: ends[at + 2] ?? series.length }) ?? [],
  );
}

/** Cuts one stretch after the other where it divides best, until the best place of all is no significant one. */
function cutsOfWindow(window: Float64Array): readonly number[] {
  let ends: readonly number[] = [0, window.length];
  const known = new Map<string, ReturnType<typeof bestCut>>();
  const bestOf = (from: number, to: number) => {
    const key = `${from} ${to}`;
    const best = known.get(key) ?? bestCut(window.subarray(from, to));
    known.set(key, best);
    return best;
  };
  for (;;) {
    let chosen: { index: number; from: number; to: number; gain: number } | undefined;
    for (const [at, from] of ends.slice(0, -1).entries()) {
      const to = ends[at + 1] ?? window.length;
      const { index, gain } = bestOf(from, to);
      if (chosen === undefined || gain > chosen.gain) chosen = { index: index + from, from, to, gain };
    }
    const cut = chosen && testCut(window, chosen.index, chosen);
    if (!cut || !(cut.p <= MAX_P)) return ends.slice(1, -1);
    ends = [...ends, cut.index].sort((a, b) => a - b);
  }
}
