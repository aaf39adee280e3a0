import type { Store } from '../../../home/core/store.ts';

/** Times of pairs of a stored duet, A and B in the order of measurement. */
export interface StoredPairs {
  readonly a: readonly number[];
  readonly b: readonly number[];
}

const DUETS = 20;

/** The newest stored duet of an experiment; it has the name of the experiment, or that after the suite. */
export async function readDuets(experiment: string, store: Store): Promise<StoredPairs | undefined> {
  for (const { id, order } of await store.latestRuns({ kind: 'duet', limit: DUETS })) {
    for (const task of order) {
      if (task !== experiment && !task.endsWith(`.${experiment}`)) continue;
      const sets = await store.samplesOf(id, task);
      // Sides that ran one after the other are no pairs.
      const paired = sets.filter(({ settings }) => settings['type'] !== 'seqn');
      const [a, b] = ['A', 'B'].map((side) => paired.find(({ settings }) => settings['side'] === side));
      if (a && b) return { a: a.values, b: b.values };
    }
  }
  return undefined;
}
