import type { Definition } from '../../platform/config/definition.ts';
import { dotted, problemAt } from '../../platform/config/definition-problems.ts';
import type { Problem } from '../../platform/core/errors.ts';
import { baseName } from '../../platform/core/path.ts';
import type { DuetBenchmark } from '../core/duet.ts';
import { formatResultName, withoutDots } from '../core/result-name.ts';
import { MOST_RUNS } from './schema.ts';

/** Names that cannot be those of duets: one is our folder, the other the first block of the file. */
const RESERVED = ['artifacts', 'duetbench'];
/** What file systems hold. */
const LONGEST_NAME_BYTES = 255;

/** A name in `duets`, and which entry it is. */
export interface Listed {
  readonly name: string;
  readonly index: number;
}

/** The names in `duets` for themselves: reserved ones and repeated ones. */
export function checkListed(listed: readonly Listed[], definition: Definition): readonly Problem[] {
  const seen = new Set<string>();
  return listed.flatMap(({ name, index }) => {
    const reason = RESERVED.includes(name)
      ? 'cannot be the name of a duet: it is taken'
      : seen.has(name)
        ? 'is there twice'
        : undefined;
    seen.add(name);
    if (reason === undefined) return [];
    const message = `duetbench.duets: ${JSON.stringify(name)} ${reason}`;
    return [problemAt(definition, ['duetbench', 'duets', index], message)];
  });
}

/** Results of two duets must not overwrite each other, and a file system must be able to hold their names. */
export function checkResultNames(
  benchmarks: readonly { readonly benchmark: DuetBenchmark; readonly index: number }[],
  definition: Definition,
): readonly Problem[] {
  const seen = new Map<string, string>();
  return benchmarks.flatMap(({ benchmark, index }) => {
    const { name, suite } = benchmark;
    const at = ['duetbench', 'duets', index];
    const prefix = `${withoutDots(suite)}.${withoutDots(name)}`;
    const other = seen.get(prefix);
    seen.set(prefix, other ?? name);
    const problems: Problem[] = [];
    if (other !== undefined) {
      const message = `duetbench.duets: results of ${JSON.stringify(name)} and ${JSON.stringify(other)} would have the same names (${prefix}...)`;
      const hint = 'Dots become "_" in the names of results: rename one of the two.';
      problems.push(problemAt(definition, at, message, { hint }));
    }
    const longest = longestName(benchmark);
    if (new TextEncoder().encode(longest).length > LONGEST_NAME_BYTES) {
      const message = `${dotted([name])}: the names of its results would be longer than ${LONGEST_NAME_BYTES} bytes`;
      problems.push(problemAt(definition, [name], message, { part: 'key' }));
    }
    return problems;
  });
}

function longestName({ name, suite, sides }: DuetBenchmark): string {
  const files = [...sides.A.results, ...sides.B.results].map(baseName);
  const file = files.reduce((longest, next) => (next.length > longest.length ? next : longest), '');
  const facts = {
    suite,
    benchmark: name,
    runid: MOST_RUNS,
    type: 'syncduet',
    order: 'None',
    pair: 'A',
  } as const;
  return formatResultName({ ...facts, file });
}
