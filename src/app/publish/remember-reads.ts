import type { Store } from '../../core/ports/store.ts';

/** What documents of one experiment ask about the whole run that it was part of. */
const REMEMBERED = [
  'run',
  'latestRuns',
  'countRuns',
  'trialsOf',
  'trialDigest',
  'stagesOf',
  'machine',
  'absences',
] as const satisfies readonly (keyof Store)[];

/** Answers of these are large: few are kept. */
const KEPT = 16;

/**
 * A store for one publication: what was asked last is answered from memory. A thousand experiments ask a thousand times
 * for the thousand trials of the newest run, and all documents of a site are to tell of the same moment anyway.
 */
export function rememberReads(store: Store): Store {
  const answers = new Map<string, Promise<unknown>>();
  const remembered = (name: (typeof REMEMBERED)[number]) => {
    const read = store[name] as (...asked: unknown[]) => Promise<unknown>;
    return (...asked: unknown[]) => {
      const key = `${name} ${JSON.stringify(asked)}`;
      const answer = answers.get(key) ?? read(...asked);
      answers.delete(key); // to its end
      answers.set(key, answer);
      for (const oldest of answers.keys()) {
        if (answers.size <= KEPT) break;
        answers.delete(oldest);
      }
      return answer;
    };
  };
  return { ...store, ...Object.fromEntries(REMEMBERED.map((name) => [name, remembered(name)])) };
}
