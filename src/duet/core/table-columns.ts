import { NightmarkError } from '../../platform/core/errors.ts';
import { nearestFirst } from '../../platform/core/text/nearest.ts';

/** Where the columns of a table stand; -1 where it has none. */
export interface TableColumns {
  readonly iteration: number;
  readonly start: number;
  readonly end: number;
  readonly time: number;
  readonly pair: number;
  readonly suite: number;
  readonly benchmark: number;
  readonly type: number;
  readonly order: number;
  readonly runid: number;
  /** The label of the place, from the most to the least telling. */
  readonly places: readonly number[];
  /** All that tell one run from another, the pair among them. */
  readonly keys: Int32Array;
}

const NEEDED = ['benchmark', 'runid', 'pair', 'iteration', 'iteration_time_ns'];
const PLACES = ['environment', 'hostname', 'results'];
/** Artifacts are gathered once a folder: with them, run 0 of one folder is not run 0 of another. */
const OF_FOLDER = ['date', 'uname', 'lscpu', 'meminfo'];
const OF_RUN = ['pair', 'runid', 'benchmark', 'suite', 'type', 'order'];

export function findTableColumns(names: readonly string[], origin: string): TableColumns {
  const missing = NEEDED.filter((name) => !names.includes(name));
  if (missing.length > 0) throw noTable(missing, names, origin);
  const at = (name: string) => names.indexOf(name);
  const there = (wanted: readonly string[]) => wanted.map(at).filter((index) => index >= 0);
  return {
    iteration: at('iteration'),
    start: at('iteration_start_ns'),
    end: at('iteration_end_ns'),
    time: at('iteration_time_ns'),
    pair: at('pair'),
    suite: at('suite'),
    benchmark: at('benchmark'),
    type: at('type'),
    order: at('order'),
    runid: at('runid'),
    places: there(PLACES),
    keys: Int32Array.from(there([...OF_RUN, ...PLACES, ...OF_FOLDER])),
  };
}

function noTable(missing: readonly string[], names: readonly string[], origin: string): NightmarkError {
  const shown = nearestFirst(missing[0] ?? '', names).slice(0, 12);
  return new NightmarkError(
    'DUET_NO_TABLE',
    `${origin} is no table of iterations: it has no column ${missing.map((name) => `"${name}"`).join(', ')}.`,
    {
      hint: `It has: ${shown.join(', ')}. Make a table of a folder of results with "nightmark duet process DIR".`,
    },
  );
}
