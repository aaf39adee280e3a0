/** One line of a chart: values over x, and what tells it from others. */
export interface Curve {
  readonly key: string;
  /** By name: "job", "experiment", "measurement", "config.lr", "tag.split". */
  readonly properties: Readonly<Record<string, string>>;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Where there were values that are no finite numbers. */
  readonly odd: Float64Array;
  /** Of a mean: how far the band goes, and how many curves it is of. */
  readonly low?: Float64Array;
  readonly high?: Float64Array;
  readonly count?: number;
}

/** Rising x, each once: values of the same x are averaged; those that are not finite are kept apart. */
export function averagedByX(xs: ArrayLike<number>, ys: ArrayLike<number>): Pick<Curve, 'x' | 'y' | 'odd'> {
  const order = Array.from(xs, (_, at) => at).filter((at) => Number.isFinite(xs[at]));
  if (!isRising(xs)) order.sort((a, b) => (xs[a] ?? 0) - (xs[b] ?? 0));
  const [x, y, odd]: [number[], number[], number[]] = [[], [], []];
  for (let from = 0; from < order.length; ) {
    const at = xs[order[from] ?? 0] ?? 0;
    let [sum, count, isOdd] = [0, 0, false];
    for (; from < order.length && xs[order[from] ?? 0] === at; from++) {
      const value = ys[order[from] ?? 0] ?? Number.NaN;
      if (Number.isFinite(value)) [sum, count] = [sum + value, count + 1];
      else isOdd = true;
    }
    if (isOdd) odd.push(at);
    if (count === 0) continue;
    x.push(at);
    y.push(sum / count);
  }
  return { x: Float64Array.from(x), y: Float64Array.from(y), odd: Float64Array.from(odd) };
}

function isRising(xs: ArrayLike<number>): boolean {
  for (let at = 1; at < xs.length; at++) if (!((xs[at] ?? 0) >= (xs[at - 1] ?? 0))) return false;
  return true;
}

/**
 * A moving mean that forgets: each value counts `weight` times as much as the one after it. Divided by the weights that
 * have come in, so that it does not begin at zero. Weight 0 is the curve itself.
 */
export function smoothed(values: Float64Array, weight: number): Float64Array {
  if (weight <= 0) return values;
  let [sum, weights] = [0, 0];
  return values.map((value) => {
    sum = sum * weight + value * (1 - weight);
    weights = weights * weight + (1 - weight);
    return sum / weights;
  });
}
