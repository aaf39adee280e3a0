/** The list with one of its members at another place. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const one = list[from];
  if (one === undefined || to < 0 || to >= list.length) return list;
  const rest = list.filter((_, at) => at !== from);
  return [...rest.slice(0, to), one, ...rest.slice(to)];
}
