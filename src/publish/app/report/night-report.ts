import type { PlotPart, TableCell } from '../../../charts/core/chart.ts';
import { commitsOf } from '../../../dashboard/app/runs/list-runs.ts';
import { type RunView, readRun, type TaskView } from '../../../dashboard/app/runs/read-run.ts';
import { type FollowedChange, isOpen } from '../../../home/core/changes/change-ledger.ts';
import type { BriefRun } from '../../../home/core/run.ts';
import { resolveSide, valueRuns } from '../../../judge/app/compare/resolve-side.ts';
import { absenceText } from '../../../judge/core/changes/change-text.ts';
import { changeText, nameText } from '../../../judge/core/explain/explanation-text.ts';
import { describeNight } from '../../../platform/core/text/describe-night.ts';
import { counted, formatDuration } from '../../../platform/core/text/numbers.ts';
import {
  heading,
  type ReportDocument,
  sentence,
  table,
  timeText,
} from '../../core/report/report-document.ts';
import { changeCharts, changeTable, inOrderOfWeight } from './change-table.ts';
import { nightValues } from './night-values.ts';
import { linksTo, type ReportLinks } from './report-cells.ts';
import { noResults, type ReportSources } from './report-request.ts';

const MANY = 1_000_000;
const [CHANGES, CHARTS, LINES] = [100, 6, 50];

/** A night: how it went, what changed, what failed or is missing, its values, and what else differs from the one before. */
export async function nightReport(
  { home, query }: { readonly home: string; readonly query: string },
  sources: ReportSources,
): Promise<ReportDocument> {
  const { store } = sources;
  const links = linksTo(sources.page);
  const run = await findRun(query, home, sources);
  const view = await readRun({ home, id: run.id }, sources);
  if (!view) throw noResults(home);
  const all = await store.changes({ limit: MANY });
  const reported = all.filter(({ withdrawnAt, at }) => withdrawnAt === undefined && at <= run.startedAt);
  const title = `${run.project}: ${run.kind} of ${timeText(run.startedAt)}`;
  const { experiments, subsystems } = view;
  const ms = run.endedAt === undefined ? undefined : run.endedAt - run.startedAt;
  return {
    title,
    parts: [
      heading(1, title),
      sentence(`${capital(describeNight(experiments, subsystems, ms))}.`),
      factTable(view, links),
      ...view.run.warnings.slice(0, LINES).map((warning) => sentence(`Warning: ${warning}`)),
      ...(await changeParts(run, reported, sources)),
      ...failedParts(view, links),
      ...(await missingParts(view, sources)),
      ...(await nightValues({ run, changes: reported, rules: await sources.rules(), links }, store)),
      ...sinceParts(view),
      ...taskParts(view, links),
    ],
  };
}

async function findRun(query: string, home: string, sources: ReportSources): Promise<BriefRun> {
  if (query === 'latest') {
    const [newest] = await valueRuns(sources.store, { limit: LINES });
    const [any] = newest ? [newest] : await sources.store.latestRuns({ limit: 1 });
    if (!any) throw noResults(home);
    return any;
  }
  const { runs } = await resolveSide(query, home, sources);
  return runs[0];
}

function factTable({ run, machine, tasks, options, imported }: RunView, links: ReportLinks): PlotPart {
  const commits = Object.entries(commitsOf(tasks.map(({ trial }) => trial))).map(
    ([source, hashes]) =>
      `${source} ${hashes.slice(0, 3).join(', ')}${hashes.length > 3 ? ` and ${hashes.length - 3} more` : ''}`,
  );
  const rows = [
    ['run', links.run(run.id)],
    ['state', run.state],
    ['started', timeText(run.startedAt)],
    ...(run.endedAt === undefined ? [] : [['took', formatDuration(run.endedAt - run.startedAt)]]),
    ...(machine ? [['machine', machine.name]] : []),
    ...(commits.length === 0 ? [] : [['commits', commits.join('; ')]]),
    ...(run.origin === 'measured' ? [] : [['origin', run.origin]]),
    ...(imported ? [['imported', Object.values(imported).map(String).join(', ')]] : []),
    ...(options && Object.keys(options).length > 0 ? [['options', JSON.stringify(options)]] : []),
  ];
  return table({ columns: ['', ''], rows });
}

async function changeParts(
  run: BriefRun,
  reported: readonly FollowedChange[],
  { store, page }: ReportSources,
): Promise<readonly PlotPart[]> {
  const begun = inOrderOfWeight(reported.filter(({ runId }) => runId === run.id));
  const open = inOrderOfWeight(reported.filter((change) => isOpen(change) && change.runId !== run.id));
  const isNone = begun.length + open.length === 0;
  const charts = await changeCharts(
    [...begun, ...open.filter(({ direction }) => direction !== 'better')],
    CHARTS,
    store,
  );
  return [
    heading(2, 'Changes'),
    sentence(
      isNone
        ? 'No change begins with this run, and none from before is open.'
        : `${begun.length === 0 ? 'No change' : counted(begun.length, 'change')} ${begun.length <= 1 ? 'begins' : 'begin'} with this run; ${open.length} from before ${open.length === 1 ? 'is' : 'are'} open.`,
    ),
    ...(isNone ? [] : [changeTable([...begun, ...open], CHANGES, linksTo(page))]),
    ...charts,
  ];
}

function sinceParts({ sinceBefore }: RunView): readonly PlotPart[] {
  if (!sinceBefore) return [];
  const { run, facts, unchanged, unknown, added } = sinceBefore;
  const rest = `${counted(unchanged, 'recorded fact')} the same, ${unknown} recorded on one side only.`;
  return [
    heading(2, 'Since the run before'),
    sentence(`Compared with ${run.id}: ${counted(facts.length, 'difference')}, ${rest}`),
    ...(facts.length === 0
      ? []
      : [
          table({
            columns: ['what', 'change'],
            rows: facts.map((fact) => [nameText(fact), changeText(fact)]),
            most: LINES,
          }),
        ]),
    ...(added.length === 0
      ? []
      : [
          sentence(
            `New: ${added.slice(0, LINES).join(', ')}${added.length > LINES ? ` and ${added.length - LINES} more` : ''}.`,
          ),
        ]),
  ];
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const [TASKS, MESSAGE] = [300, 400];

/** With where to read on. */
function failedParts({ tasks }: RunView, links: ReportLinks): readonly PlotPart[] {
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
async function missingParts(
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

function taskParts({ tasks }: RunView, links: ReportLinks): readonly PlotPart[] {
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
