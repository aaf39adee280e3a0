/** Up to five names, those that look most like the wanted one first. */
export function nearNames(wanted: string, names: readonly string[]): readonly string[] {
  const close = names.map((name) => ({
    name,
    distance: distanceOf(wanted.toLowerCase(), name.toLowerCase()),
  }));
  close.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return close.slice(0, MAX_NAMES).map(({ name }) => name);
}

const MAX_NAMES = 5;
/** Names beyond it are compared by their beginning, so that hostile ones cost nothing. */
const MAX_LENGTH = 60;

/** Edits between the two; a name that contains the other is near whatever its length. */
function distanceOf(wanted: string, name: string): number {
  if (wanted !== '' && (name.includes(wanted) || wanted.includes(name))) return 1;
  const a = wanted.slice(0, MAX_LENGTH);
  const b = name.slice(0, MAX_LENGTH);
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
