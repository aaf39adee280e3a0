import type { Fact, FactGroup, FactValue } from '../explain/explanation.ts';

/** A fact of the runs of one side. */
export interface SidedFact extends Fact {
  readonly side: 'base' | 'head';
  /** Where it was recorded beside one experiment; absent: it is of the whole run. */
  readonly experiment?: string;
}

/** Something that was recorded of both sides and is not the same: every value that occurs. */
export interface Difference {
  readonly group: FactGroup;
  readonly name: string;
  readonly unit?: string;
  readonly base: readonly FactValue[];
  readonly head: readonly FactValue[];
  /** Experiments beside which it was recorded; empty: it is of the whole run. */
  readonly experiments: readonly string[];
}

export interface DifferingFacts {
  readonly differing: readonly Difference[];
  /** Facts that are the same on both sides. */
  readonly equal: number;
  /** Facts that only one side has. */
  readonly oneSided: number;
}

/** What differs between the sides, in the order of groups and of first appearance; all else is counted. */
export function differingFacts(facts: readonly SidedFact[]): DifferingFacts {
  const known = new Map<string, Known>();
  for (const fact of facts) {
    const key = JSON.stringify([fact.group, fact.name, fact.experiment ?? null]);
    const one = known.get(key) ?? { first: fact, base: new Set<FactValue>(), head: new Set<FactValue>() };
    one[fact.side].add(fact.value);
    known.set(key, one);
  }
  let [equal, oneSided] = [0, 0];
  const found = new Map<string, Difference>();
  for (const { first, ...sides } of known.values()) {
    const [base, head] = [inOrder(sides.base), inOrder(sides.head)];
    if (base.length === 0 || head.length === 0) oneSided++;
    else if (JSON.stringify(base) === JSON.stringify(head)) equal++;
    else addTo(found, first, { base, head });
  }
  const differing = [...found.values()].sort((a, b) => GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group));
  return { differing, equal, oneSided };
}

interface Known {
  readonly first: SidedFact;
  readonly base: Set<FactValue>;
  readonly head: Set<FactValue>;
}

/** Code first: it is what people look for. */
const GROUPS: readonly FactGroup[] = [
  'source',
  'version',
  'setting',
  'machine',
  'environment',
  'warning',
  'telemetry',
];

/** A difference that many experiments share is listed once. */
function addTo(
  found: Map<string, Difference>,
  { group, name, unit, experiment }: SidedFact,
  { base, head }: Pick<Difference, 'base' | 'head'>,
): void {
  const key = JSON.stringify([group, name, base, head, experiment === undefined]);
  const before = found.get(key)?.experiments ?? [];
  found.set(key, {
    ...{ group, name, ...(unit !== undefined && { unit }), base, head },
    experiments: experiment === undefined ? before : [...before, experiment],
  });
}

function inOrder(values: ReadonlySet<FactValue>): readonly FactValue[] {
  return [...values].sort((a, b) => (String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0));
}
