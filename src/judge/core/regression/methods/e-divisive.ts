/** Where a stretch divides best into two, and by how much: 0 where nothing is gained (Matteson and James, 2014). */
export function bestCut(values: Float64Array): { readonly index: number; readonly gain: number } {
  const count = values.length;
  // Sums of distances: of the value at each place to all before it, and to all after it.
  const before = new Float64Array(count);
  const after = new Float64Array(count);
  let right = 0;
  for (let one = 0; one < count; one++) {
    for (let other = one + 1; other < count; other++) {
      const distance = Math.abs((values[one] ?? 0) - (values[other] ?? 0));
      before[other] = (before[other] ?? 0) + distance;
      after[one] = (after[one] ?? 0) + distance;
      right += distance;
    }
  }
  let left = 0;
  let cross = 0;
  let best = { index: 0, gain: 0 };
  for (let cut = 1; cut < count; cut++) {
    // The value cut - 1 goes from the right side to the left one.
    const [earlier, later] = [before[cut - 1] ?? 0, after[cut - 1] ?? 0];
    left += earlier;
    right -= later;
    cross += later - earlier;
    const gain = divergence({ left, right, cross }, cut, count - cut);
    if (gain > best.gain) best = { index: cut, gain };
  }
  return best;
}

interface Distances {
  /** Within each side, each pair once; and from one side to the other. */
  readonly left: number;
  readonly right: number;
  readonly cross: number;
}

function divergence({ left, right, cross }: Distances, m: number, n: number): number {
  const within = (m < 2 ? 0 : (2 * left) / (m * (m - 1))) + (n < 2 ? 0 : (2 * right) / (n * (n - 1)));
  return ((m * n) / (m + n)) * ((2 * cross) / (m * n) - within);
}
