import type { SeriesKey } from '../../../formats/core/sample.ts';
import { seriesKey } from '../../../home/core/changes/change.ts';
import type { Store } from '../../../home/core/store.ts';

/** Where series changed, as the ledger has it: the start of the first run at the new level. */
export interface KnownSteps {
  of(series: SeriesKey): readonly number[];
}

const MOST_CHANGES = 20_000;

/** What was called false is no step; a machine that changed moved all of its series. */
export async function readSteps(store: Store): Promise<KnownSteps> {
  const steps = new Map<string, number[]>();
  const everywhere: number[] = [];
  for (const { series, at, state, withdrawnAt } of await store.changes({ limit: MOST_CHANGES })) {
    if (state === 'false' || withdrawnAt !== undefined) continue;
    if (series.kind === 'machine') everywhere.push(at);
    if (series.kind !== 'value') continue;
    const key = seriesKey(series);
    steps.set(key, [...(steps.get(key) ?? []), at]);
  }
  const of = ({ experiment, path }: SeriesKey) => {
    const own = steps.size === 0 ? undefined : steps.get(seriesKey({ kind: 'value', experiment, path }));
    return own === undefined ? everywhere : [...own, ...everywhere];
  };
  return { of };
}
