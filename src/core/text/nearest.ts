/** The known words, the most similar to `wanted` first, ties in the given order: for "did you mean". */
export function nearestFirst(wanted: string, known: readonly string[]): readonly string[] {
  const target = shorten(wanted);
  const ranked = known.map((word, order) => ({ word, order, distance: editDistance(target, shorten(word)) }));
  ranked.sort((a, b) => a.distance - b.distance || a.order - b.order);
  return ranked.map(({ word }) => word);
}

/** Longer words are compared by their start: nobody mistypes more, and the cost is the product of lengths. */
const MAX_COMPARED = 64;

function shorten(word: string): string {
  return word.slice(0, MAX_COMPARED).toLowerCase();
}

/** Levenshtein's distance, one row at a time. */
function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replace, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    above = row;
  }
  return above[b.length] ?? 0;
}
