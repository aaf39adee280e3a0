/** Which jobs are selected: some by their ids, or all that the search finds. */
export type Selection = readonly string[] | 'all';

/** More would make the address too long; larger selections use a search. */
export const MOST_PICKED = 50;

export function readSelection(text: string | undefined): Selection {
  if (text === 'all') return 'all';
  const ids = (text ?? '').split(',').filter((id) => /^[0-9a-f]{6,24}$/.test(id));
  return [...new Set(ids)];
}

export function writeSelection(selection: Selection): string | undefined {
  return selection === 'all' ? 'all' : selection.join(',') || undefined;
}

export function isSelected(selection: Selection, id: string): boolean {
  return selection === 'all' || selection.includes(id);
}

interface Toggle {
  /** All ids of the list in their order. */
  readonly listed: readonly string[];
  readonly ids: readonly string[];
  readonly isOn: boolean;
}

/** Undefined: it would be more than can be picked one by one, and not all. */
export function toggled(selection: Selection, { listed, ids, isOn }: Toggle): Selection | undefined {
  const before = new Set(selection === 'all' ? listed : selection);
  for (const id of ids) {
    if (isOn) before.add(id);
    else before.delete(id);
  }
  if (before.size > MOST_PICKED) return listed.every((id) => before.has(id)) ? 'all' : undefined;
  // In the order of the list; what is not listed now stays chosen.
  const inOrder = listed.filter((id) => before.has(id));
  const others = [...before].filter((id) => !inOrder.includes(id));
  return [...inOrder, ...others];
}

/** Those between two of the list, both included; only the second where the first is not listed. */
export function rangeOf(listed: readonly string[], from: string | undefined, to: string): readonly string[] {
  const [a, b] = [from === undefined ? -1 : listed.indexOf(from), listed.indexOf(to)];
  if (a < 0 || b < 0) return [to];
  return listed.slice(Math.min(a, b), Math.max(a, b) + 1);
}
