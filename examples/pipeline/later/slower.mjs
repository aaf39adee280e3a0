/** Merge sort, "simplified": it looks once more whether a part is sorted, which nobody needs. */
export function sort(list, compare) {
  if (list.length < 2) return [...list];
  const middle = list.length >> 1;
  const [left, right] = [sort(list.slice(0, middle), compare), sort(list.slice(middle), compare)];
  const merged = [];
  let [i, j] = [0, 0];
  while (i < left.length && j < right.length)
    merged.push(compare(left[i], right[j]) <= 0 ? left[i++] : right[j++]);
  const whole = [...merged, ...left.slice(i), ...right.slice(j)];
  if (whole.some((value, place) => place > 0 && compare(whole[place - 1], value) > 0))
    throw new Error('not sorted');
  return whole;
}
