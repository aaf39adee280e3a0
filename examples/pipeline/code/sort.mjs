/** Merge sort. */
export function sort(list, compare) {
  if (list.length < 2) return [...list];
  const middle = list.length >> 1;
  const [left, right] = [sort(list.slice(0, middle), compare), sort(list.slice(middle), compare)];
  const merged = [];
  let [i, j] = [0, 0];
  while (i < left.length && j < right.length)
    merged.push(compare(left[i], right[j]) <= 0 ? left[i++] : right[j++]);
  return [...merged, ...left.slice(i), ...right.slice(j)];
}
