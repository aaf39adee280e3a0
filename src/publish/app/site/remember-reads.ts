import type { Store } from '../../../home/core/store.ts';

/** What documents of one experiment ask about the whole run that it was part of, and how many answers are kept of each. */
const REMEMBERED = {
  run: 16,
  latestRuns: 2,
  countRuns: 1,
  trialsOf: 4,
  trialDigest: 2,
  stagesOf: 4,
  machine: 16,
  absences: 1,
  pointsOf: 1,
} as const satisfies Partial<Record<keyof Store, number>>;

/**
 * A store for one publication: what was asked last is answered from memory. A thousand experiments ask a thousand times
 * for the thousand trials of the newest run, and all documents of a site are to tell of the same moment anyway. Answers
 * are large: few are kept.
 */
export function rememberReads(store: Store): Store {
  const remembered = Object.entries(REMEMBERED).map(([name, most]) => {
    const read = store[name as keyof typeof REMEMBERED] as Read;
    return [name, remembering(read, most)] as const;
  });
  return { ...store, ...Object.fromEntries(remembered) };
}

type Read = (...asked: unknown[]) => Promise<unknown>;

function remembering(read: Read, most: number): Read {
  const answers = new Map<string, Promise<unknown>>();
  return (...asked) => {
    const key = JSON.stringify(asked);
    const answer = answers.get(key) ?? read(...asked);
    answers.delete(key); // to its end
    answers.set(key, answer);
    for (const oldest of answers.keys()) {
      if (answers.size <= most) break;
      answers.delete(oldest);
    }
    return answer;
  };
}
