import type { Trial } from '../../../home/core/run.ts';
import type { RunFilter } from '../../../home/core/run-filter.ts';
import type { Store } from '../../../home/core/store.ts';
import { plainCell } from '../../../platform/core/text/csv.ts';
import { listRuns, type RunLine } from './list-runs.ts';
import type { RunView } from './read-run.ts';

const PAGE = 500;
const RUN_COLUMNS =
  'run,kind,label,state,started,ended,machine,commits,experiments,succeeded,failed,skipped,inactive,subsystems failed\n';
const STAGE_COLUMNS = 'kind,task,title,stage,succeeded,started,seconds,attempts,message\n';

/** Every run that passes the filter as a line, newest first; pieces of text. */
export async function* runsCsv(filter: RunFilter, store: Store): AsyncIterable<string> {
  yield RUN_COLUMNS;
  let before: number | undefined;
  do {
    const list = await listRuns({ limit: PAGE, filter, ...(before !== undefined && { before }) }, store);
    yield list.runs.map(runLine).join('');
    before = list.nextBefore;
  } while (before !== undefined);
}

/** Every stage of a run as a line; a task without one has a line of its own. */
export function stagesCsv({ tasks }: Pick<RunView, 'tasks'>): string {
  const lines = tasks.flatMap(({ trial, stages }) => {
    const { kind, task, title = '', state, message } = trial;
    if (stages.length === 0) return [line([kind, task, title, '', stateText(state), '', '', '', message])];
    return stages.map((stage) => {
      const { success, startedAt, durationMs, attempts } = stage;
      const facts = [String(success), timeText(startedAt), String(durationMs / 1000), String(attempts)];
      return line([kind, task, title, stage.stage, ...facts, stage.message]);
    });
  });
  return STAGE_COLUMNS + lines.join('');
}

function runLine({ run, machine = '', commits, experiments, subsystems }: RunLine): string {
  const { id, kind, label, state, startedAt, endedAt } = run;
  const hashes = Object.entries(commits).map(([source, list]) => `${source}=${list.join('+')}`);
  const times = [timeText(startedAt), endedAt === undefined ? '' : timeText(endedAt)];
  const { total, succeeded, failed, skipped, inactive } = experiments;
  const counts = [total, succeeded, failed, skipped, inactive, subsystems.failed].map(String);
  return line([id, kind, label, state, ...times, machine, hashes.join(' '), ...counts]);
}

function line(cells: readonly string[]): string {
  return `${cells.map(plainCell).join(',')}\n`;
}

/** A home may come from anywhere, with invalid times. */
function timeText(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

function stateText(state: Trial['state']): string {
  return state === 'succeeded' ? 'true' : state === 'failed' ? 'false' : state;
}
