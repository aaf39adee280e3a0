/**
 * Places of the values that a chart needs when there are more than it can show: of each stretch of neighbours the
 * smallest and the largest, and both ends. Nothing that stands out is lost; all places where there are few.
 */
export function keepExtremes(values: ArrayLike<number>, most: number): Uint32Array {
  const count = values.length;
  if (count <= most) return Uint32Array.from({ length: count }, (_, place) => place);
  const stretches = Math.max(1, Math.floor((most - 2) / 2));
  const kept = new Uint32Array(2 * stretches + 2);
  let length = 0;
  const keep = (place: number) => {
    if (length === 0 || (kept[length - 1] as number) < place) kept[length++] = place; // written before
  };
  keep(0);
  for (let stretch = 0; stretch < stretches; stretch++) {
    const from = Math.floor((stretch * count) / stretches);
    const to = Math.floor(((stretch + 1) * count) / stretches);
    const [first, second] = extremes(values, from, to);
    keep(first);
    keep(second);
  }
  keep(count - 1);
  return kept.subarray(0, length);
}

/** In their order; a gap is kept where there is nothing else. */
function extremes(values: ArrayLike<number>, from: number, to: number): readonly [number, number] {
  let [low, high] = [-1, -1];
  for (let place = from; place < to; place++) {
    const value = values[place] as number; // within the stretch
    if (!Number.isFinite(value)) continue;
    if (low < 0 || value < (values[low] as number)) low = place;
    if (high < 0 || value > (values[high] as number)) high = place;
  }
  if (low < 0) return [from, from];
  return low < high ? [low, high] : [high, low];
}
