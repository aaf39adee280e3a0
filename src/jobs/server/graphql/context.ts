import type { PointReader } from '../../../metrics/core/points/point-reader.ts';
import { Budget } from '../budget.ts';
import type { JobEffects } from '../effects.ts';
import { SeriesFinder } from '../job-series.ts';

/** What the fields of one request share. */
export interface GraphqlContext {
  readonly effects: JobEffects;
  readonly budget: Budget;
  readonly series: SeriesFinder;
  readonly reader: PointReader | undefined;
  /** One file after the other: a thousand jobs must not open a thousand files at once. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}

export function newContext(effects: JobEffects): GraphqlContext {
  let last: Promise<unknown> = Promise.resolve();
  return {
    effects,
    budget: new Budget(),
    series: new SeriesFinder(effects.reader),
    reader: effects.reader,
    inTurn(work) {
      const done = last.then(work);
      last = done.catch(() => {});
      return done;
    },
  };
}
