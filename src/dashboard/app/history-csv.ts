import type { Store } from '../../home/core/store.ts';
import { whyInvalidName } from '../../platform/core/path.ts';
import { plainCell } from '../../platform/core/text/csv.ts';
import { chosen, type HistoryRequest } from './read-history.ts';

const SERIES_READ = 100_000;
const RUNS_READ = 1_000_000;
const HEAD = 'started,run,state,machine,commits,metric,unit,value\n';

/**
 * Every value of an experiment as a line, series by series; pieces of text, so that no size is too large. Undefined when
 * nothing is known about it.
 */
export async function historyCsv(
  request: Pick<HistoryRequest, 'name' | 'search' | 'withDetails' | 'from' | 'to'>,
  store: Store,
): Promise<AsyncIterable<string> | undefined> {
  const { name } = request;
  if (whyInvalidName(name) !== undefined) return undefined;
  const all = await store.series({ experiment: name, limit: SERIES_READ });
  const outcomes = await store.outcomes({ experiment: name, limit: RUNS_READ });
  if (all.length === 0 && outcomes.length === 0) return undefined;
  const facts = new Map(
    outcomes.map(({ runId, state, machineId = '', commits }) => {
      const hashes = Object.entries(commits).map(([source, commit]) => `${source}=${commit}`);
      return [runId, [state, machineId, hashes.join(' ')].map(plainCell).join(',')];
    }),
  );
  const range = {
    limit: RUNS_READ,
    ...(request.from !== undefined && { from: request.from }),
    ...(request.to !== undefined && { to: request.to }),
  };
  return (async function* () {
    yield HEAD;
    for (const { id, path, unit } of chosen(all, request)) {
      const { times, values, runIds } = await store.history(id, range);
      const named = [path.join('/'), unit].map(plainCell).join(',');
      const lines = runIds.map((runId, place) => {
        const started = new Date(times[place] as number).toISOString(); // columns of one length
        const value = values[place] as number;
        return `${started},${plainCell(runId)},${facts.get(runId) ?? ',,'},${named},${Number.isNaN(value) ? '' : value}\n`;
      });
      yield lines.join('');
    }
  })();
}
