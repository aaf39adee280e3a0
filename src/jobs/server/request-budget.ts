import { NightmarkError } from '../../platform/core/errors.ts';

/** Most that one request gets: what would be more is refused, never cut. */
const MOST = { jobs: 100_000, values: 2_000_000, bytes: 64 * 1024 * 1024 } as const;
export type Budgeted = keyof typeof MOST;

const UNITS: Readonly<Record<Budgeted, string>> = {
  jobs: 'jobs',
  values: 'values of metrics',
  bytes: 'bytes of files and logs',
};

/** Adds up what one request reads, however it is asked. */
export class Budget {
  readonly #left: Record<Budgeted, number> = { ...MOST };

  left(what: Budgeted): number {
    return this.#left[what];
  }

  take(what: Budgeted, count: number): void {
    this.#left[what] -= count;
    if (this.#left[what] >= 0) return;
    throw new NightmarkError('JOBS_TOO_MUCH', `One request gets at most ${MOST[what]} ${UNITS[what]}.`, {
      hint: 'Ask for fewer jobs (limit, ids, project, status), or in several requests.',
    });
  }
}
