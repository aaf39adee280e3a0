/** The known words, the most similar to `wanted` first, ties in the given order: for "did you mean". */
export function nearestFirst(wanted: string, known: readonly string[]): readonly string[] {
  const target = normalized(wanted);
  const ranked = known.map((word, order) => ({
    word,
    order,
    distance: editDistance(target, normalized(word)),
  }));
  ranked.sort((a, b) => a.distance - b.distance || a.order - b.order);
  return ranked.map(({ word }) => word);
}

/** The known word that was very probably meant by `word`; undefined when none is near. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const limit = word.length < 3 ? 0 : word.length < 4 ? 1 : word.length < 8 ? 2 : 3;
  let best: { readonly word: string; readonly distance: number } | undefined;
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) > limit) continue;
    const distance = editDistance(normalized(word), normalized(candidate));
    if (distance <= limit && distance < (best?.distance ?? Number.POSITIVE_INFINITY)) {
      best = { word: candidate, distance };
    }
  }
  return best?.word;
}

/** Longer words are compared by their start: nobody mistypes more, and the cost is the product of lengths. */
const MAX_COMPARED = 64;

/** time_out and time-out are the same mistake. */
function normalized(word: string): string {
  return word.slice(0, MAX_COMPARED).toLowerCase().replaceAll(/[-_ ]/g, '');
}

/** Levenshtein's distance, where two neighbours that changed places count once. */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (rows[i - 1]?.[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let cost = Math.min(substitution, (rows[i - 1]?.[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) cost = Math.min(cost, (rows[i - 2]?.[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 0;
}
