/** A logarithmic axis of ratios: 0.5 and 2 are equally far from 1. */
export interface LogScale {
  /** Place of a ratio between `from` and `to` pixels; what lies beyond is put at the edge. */
  place(ratio: number): number;
  readonly ticks: readonly number[];
  isInside(ratio: number): boolean;
}

/** Covers all finite ratios, at least `atLeast` on both sides of one, with a little room. */
export function logScale(
  ratios: readonly number[],
  atLeast: number,
  [from, to]: readonly [number, number],
): LogScale {
  let reach = Math.log(1 + atLeast);
  for (const ratio of ratios) {
    if (ratio > 0 && Number.isFinite(ratio)) reach = Math.max(reach, Math.abs(Math.log(ratio)));
  }
  // A single wild interval must not press all others together: a factor of a thousand is far enough.
  const limit = Math.min(reach * 1.08, Math.log(1000));
  const middle = (from + to) / 2;
  const half = (to - from) / 2;
  const place = (ratio: number) => {
    const log = ratio > 0 ? Math.log(ratio) : -limit;
    return Math.round((middle + (Math.max(-limit, Math.min(limit, log)) / limit) * half) * 10) / 10;
  };
  return {
    place,
    ticks: ticksWithin(limit),
    isInside: (ratio) => ratio > 0 && Math.abs(Math.log(ratio)) <= limit,
  };
}

/** Round steps away from one, the same on both sides: 1.01, 1.02 ... or 2, 5, 10. */
function ticksWithin(limit: number): readonly number[] {
  const top = Math.exp(limit);
  if (top > 2.2) {
    const steps = [2, 5, 10, 20, 50, 100, 200, 500, 1000].filter((step) => step <= top);
    return [...steps.map((step) => 1 / step).reverse(), 1, ...steps];
  }
  const step = niceStep((top - 1) / 3);
  const above: number[] = [];
  for (let count = 1; count * step < top - 1; count++) above.push(1 + count * step);
  const below = above
    .map((ratio) => 2 - ratio)
    .filter((ratio) => ratio > 0 && Math.abs(Math.log(ratio)) <= limit);
  return [...below.reverse(), 1, ...above];
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough) ?? rough;
}
