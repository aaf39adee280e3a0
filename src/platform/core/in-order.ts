/** Does the work on several items at a time and gives the results in the order of the items, no more than `limit` ahead. */
export async function* inOrder<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  limit: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const begun: Promise<R>[] = [];
  for await (const item of items) {
    const result = work(item);
    // The consumer gets its failure; until then it must not count as unhandled.
    result.catch(() => undefined);
    begun.push(result);
    if (begun.length >= limit) yield (await begun.shift()) as R;
  }
  for (const result of begun) yield await result;
}
