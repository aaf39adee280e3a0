import type { Series } from '../../../formats/core/sample.ts';
import type { JudgedSeries } from '../../../home/core/changes/change.ts';
import type { History, HistoryQuery, Store } from '../../../home/core/store.ts';

const MANY = 1_000_000;

type FinderStore = Pick<Store, 'series' | 'history' | 'kpiHistory'>;

/** Finds histories of series by their names; what an experiment has is looked up once. */
export class SeriesFinder {
  readonly #store: FinderStore;
  readonly #byExperiment = new Map<string, ReadonlyMap<string, Series>>();

  constructor(store: FinderStore) {
    this.#store = store;
  }

  /** Undefined where the series is gone, or is a machine, which has no values of its own. */
  async history(series: JudgedSeries, query: HistoryQuery): Promise<History | undefined> {
    if (series.kind === 'kpi') return this.#store.kpiHistory(series, query);
    if (series.kind === 'machine') return undefined;
    const found = (await this.#seriesOf(series.experiment)).get(JSON.stringify(series.path));
    return found && this.#store.history(found.id, query);
  }

  async #seriesOf(experiment: string): Promise<ReadonlyMap<string, Series>> {
    const known = this.#byExperiment.get(experiment);
    if (known) return known;
    const all = await this.#store.series({ experiment, limit: MANY });
    const byPath = new Map(all.map((one) => [JSON.stringify(one.path), one] as const));
    this.#byExperiment.set(experiment, byPath);
    return byPath;
  }
}
