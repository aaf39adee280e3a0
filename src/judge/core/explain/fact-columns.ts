import type { Fact, FactColumn, FactValue } from './explanation.ts';

/** Facts of each point, turned into one column for each fact; in the order in which they first appear. */
export function factColumns(points: readonly (readonly Fact[])[]): readonly FactColumn[] {
  const columns = new Map<string, { readonly first: Fact; readonly values: (FactValue | undefined)[] }>();
  for (const [index, facts] of points.entries()) {
    for (const fact of facts) {
      const key = JSON.stringify([fact.group, fact.name]);
      let column = columns.get(key);
      if (!column) {
        column = { first: fact, values: Array.from({ length: points.length }) };
        columns.set(key, column);
      }
      column.values[index] = fact.value;
    }
  }
  return [...columns.values()].map(({ first: { group, name, unit }, values }) => ({
    group,
    name,
    ...(unit === undefined ? {} : { unit }),
    values,
  }));
}
