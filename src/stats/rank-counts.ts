/**
 * Number of ways in which Mann and Whitney's U of `m` and `n` distinct values is 0, 1 .. `top`, at most half of m n.
 * They are the coefficients of the Gaussian binomial: multiply by 1 - q^(n+i), divide by 1 - q^i, for i = 1 .. m.
 * Every step has positive whole coefficients, exact below 2^53; beyond, in the lower half, rounding stays relative.
 */
export function rankSumCounts(m: number, n: number, top: number): Float64Array {
  const counts = new Float64Array(top + 1);
  counts[0] = 1;
  for (let i = 1; i <= m; i++) {
    for (let u = top; u >= n + i; u--) counts[u] = at(counts, u) - at(counts, u - n - i);
    for (let u = i; u <= top; u++) counts[u] = at(counts, u) + at(counts, u - i);
  }
  return counts;
}

/** Number of ways in which the ranks 1 .. n with free signs have positive ones that sum to 0, 1 .. `top`. */
export function signedRankCounts(n: number, top: number): Float64Array {
  const counts = new Float64Array(top + 1);
  counts[0] = 1;
  for (let rank = 1; rank <= n; rank++) {
    for (let w = top; w >= rank; w--) counts[w] = at(counts, w) + at(counts, w - rank);
  }
  return counts;
}

function at(counts: Float64Array, index: number): number {
  return counts[index] as number; // the loops above stay within 0 .. top
}
