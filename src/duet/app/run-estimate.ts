import type { PlannedRun } from '../core/duet.ts';

interface Kind {
  ms: number;
  count: number;
  left: number;
}

/** Foretells how long the rest of a plan takes, from how long runs of the same kind took. */
export class RunEstimate {
  readonly #kinds = new Map<string, Kind>();

  constructor(todo: readonly PlannedRun[]) {
    for (const run of todo) this.#kindOf(run).left++;
  }

  /** A run of the list has ended. */
  add(run: PlannedRun, ms: number): void {
    const kind = this.#kindOf(run);
    kind.ms += ms;
    kind.count++;
    kind.left--;
  }

  /** Undefined while nothing has been run. Kinds that were not seen yet count as the mean of all. */
  leftMs(): number | undefined {
    const kinds = [...this.#kinds.values()];
    const all = kinds.reduce((sum, { ms, count }) => ({ ms: sum.ms + ms, count: sum.count + count }), {
      ms: 0,
      count: 0,
    });
    if (all.count === 0) return undefined;
    return kinds.reduce((sum, kind) => {
      const { ms, count } = kind.count === 0 ? all : kind;
      return sum + (kind.left * ms) / count;
    }, 0);
  }

  #kindOf({ type, benchmark }: PlannedRun): Kind {
    const key = `${type} ${benchmark}`;
    const known = this.#kinds.get(key);
    if (known) return known;
    const kind = { ms: 0, count: 0, left: 0 };
    this.#kinds.set(key, kind);
    return kind;
  }
}
