/** Two sets of cores of the same size. */
export type CoreHalves = readonly [readonly number[], readonly number[]];

/**
 * Halves the cores so that the sides share no physical core; where there is but one physical core, its threads are
 * halved. Undefined when there are not two cores. With an odd number one stays unused: halves are swapped, so they are alike.
 */
export function splitCores(physical: readonly (readonly number[])[]): CoreHalves | undefined {
  // Cores with the same number of threads are alike; those with fewer may be disabled in part.
  const sorted = [...physical].sort((a, b) => b.length - a.length);
  const half = Math.floor(sorted.length / 2);
  if (half > 0) {
    const halves: [number[], number[]] = [[], []];
    for (let index = 0; index < half; index++) {
      const [one = [], other = []] = [sorted[2 * index], sorted[2 * index + 1]];
      const size = Math.min(one.length, other.length);
      halves[0].push(...one.slice(0, size));
      halves[1].push(...other.slice(0, size));
    }
    return halves;
  }
  const threads = sorted[0] ?? [];
  const middle = Math.floor(threads.length / 2);
  return middle > 0 ? [threads.slice(0, middle), threads.slice(middle, 2 * middle)] : undefined;
}
