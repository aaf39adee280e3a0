import type { PlotPart, TableCell } from '../../../charts/core/chart.ts';
import type { RunView, TaskView } from '../../../dashboard/app/read-run.ts';
import { absenceText } from '../../../judge/core/changes/change-text.ts';
import { counted, formatDuration } from '../../../platform/core/text/numbers.ts';
import { heading, table } from '../../core/report/report-document.ts';
import type { ReportLinks } from './report-links.ts';
import type { ReportSources } from './report-request.ts';

const [TASKS, MESSAGE] = [300, 400];

/** With where to read on. */
export function failedParts({ tasks }: RunView, links: ReportLinks): readonly PlotPart[] {
  const failed = tasks.filter(({ trial }) => trial.state === 'failed');
  if (failed.length === 0) return [];
  const rows = failed.map(({ trial, stages }) => [
    { ...taskCell(trial, trial.task, links), tone: -1 },
    trial.failedStage ?? '',
    trial.message.slice(0, MESSAGE),
    stages.find(({ success }) => !success)?.log ?? '',
  ]);
  return [
    heading(2, 'Failed'),
    table({ columns: [`${failed.length} failed`, 'stage', 'message', 'log'], rows, most: TASKS }),
  ];
}

/** What did not end, was left out, or stopped coming. */
export async function missingParts(
  { run, tasks, sinceBefore }: RunView,
  { store }: ReportSources,
): Promise<readonly PlotPart[]> {
  const unfinished = tasks.filter(({ trial: { state } }) =>
    ['skipped', 'waiting', 'running'].includes(state),
  );
  const absent = (await store.absences()).filter(({ lastAt }) => lastAt < run.startedAt);
  const lines = [
    ...unfinished.map(
      ({ trial }) =>
        `${trial.task}: ${trial.state}${trial.message === '' ? '' : `, ${trial.message.slice(0, MESSAGE)}`}`,
    ),
    ...(sinceBefore?.removed ?? []).map((task) => `${task}: was part of the run before, not of this one`),
    ...absent.map(absenceText),
  ];
  if (lines.length === 0) return [];
  return [
    heading(2, 'Missing'),
    table({ columns: ['what'], rows: lines.map((line) => [line]), most: TASKS }),
  ];
}

export function taskParts({ tasks }: RunView, links: ReportLinks): readonly PlotPart[] {
  const ran = tasks.filter(({ trial }) => trial.state !== 'inactive');
  const inactive = tasks.length - ran.length;
  if (ran.length === 0) return [];
  return [
    heading(2, 'What ran'),
    table({
      columns: ['task', 'kind', 'state', 'took>', 'stages'],
      rows: ran.map((task) => taskRow(task, links)),
      most: TASKS,
      notes: inactive > 0 ? [`${inactive} inactive`] : [],
    }),
  ];
}

/** A subsystem has no page of its own. */
function taskCell({ kind, task }: TaskView['trial'], text: string, links: ReportLinks): TableCell {
  return kind === 'experiment' ? links.experiment(task, text) : { text };
}

function taskRow({ trial, stages, points }: TaskView, links: ReportLinks) {
  const hasTitle = trial.title !== undefined && trial.title !== trial.task;
  const failedPoints = points && points.failedCount > 0 ? `, ${points.failedCount} failed` : '';
  return [
    taskCell(trial, hasTitle ? `${trial.title} (${trial.task})` : trial.task, links),
    trial.kind,
    { text: trial.state, tone: trial.state === 'failed' ? -1 : 0 },
    trial.durationMs === undefined ? '' : formatDuration(trial.durationMs),
    points ? `${counted(points.done, 'point')}${failedPoints}` : stages.map(({ stage }) => stage).join(', '),
  ];
}
