import { partsOf, type Suspects } from './search.ts';

/** Commits that no measurement can distinguish, because those between them cannot be measured. */
export interface Group {
  /** In their order. */
  readonly commits: readonly number[];
  readonly probability: number;
}

/** All groups, the most probable first; of one commit each where everything can be measured. */
export function groupsOf(
  suspects: Suspects,
  probabilities: Float64Array,
  isTestable: (commit: number) => boolean,
): readonly Group[] {
  const groups = new Map<number | string, { commits: number[]; probability: number }>();
  for (const [commit, key] of keysOf(suspects, isTestable).entries()) {
    const group = groups.get(key) ?? { commits: [], probability: 0 };
    groups.set(key, group);
    group.commits.push(commit);
    group.probability += probabilities[commit] ?? 0;
  }
  return [...groups.values()].sort((a, b) => b.probability - a.probability);
}

/** The same key for commits that are parts of the same testable commits. */
function keysOf(
  { parents }: Suspects,
  isTestable: (commit: number) => boolean,
): readonly (number | string)[] {
  const testable = parents.map((_, at) => isTestable(at));
  return isChain(parents) ? chainKeys(testable) : branchKeys({ parents, weights: [] }, testable);
}

function isChain(parents: Suspects['parents']): boolean {
  return parents.every((list, at) =>
    at === 0 ? list.length === 0 : list.length === 1 && list[0] === at - 1,
  );
}

/** In a chain the next testable commit decides. */
function chainKeys(testable: readonly boolean[]): readonly number[] {
  const keys = new Array<number>(testable.length);
  let next = testable.length;
  for (let at = testable.length - 1; at >= 0; at--) {
    if (testable[at]) next = at;
    keys[at] = next;
  }
  return keys;
}

function branchKeys(suspects: Suspects, testable: readonly boolean[]): readonly (number | string)[] {
  if (!testable.includes(false)) return testable.map((_, at) => at);
  const [one, two] = [new Int32Array(testable.length), new Int32Array(testable.length)];
  for (const [at, isTestable] of testable.entries()) {
    if (!isTestable) continue;
    const parts = partsOf(suspects, at);
    for (let part = 0; part <= at; part++) {
      if (parts[part] !== 1) continue;
      // Two hashes of the list of testable commits: the list itself would be long for thousands of commits.
      one[part] = Math.imul((one[part] ?? 0) ^ (at + 1), 0x01000193);
      two[part] = (Math.imul(two[part] ?? 0, 31) + at + 7) | 0;
    }
  }
  return testable.map((_, at) => `${one[at]} ${two[at]}`);
}
