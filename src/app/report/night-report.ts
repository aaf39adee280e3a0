import { absenceText } from '../../core/changes/absence-text.ts';
import { isOpen } from '../../core/changes/is-open.ts';
import { changeText, nameText } from '../../core/explain/fact-text.ts';
import type { FollowedChange } from '../../core/model/change-ledger.ts';
import type { PlotPart } from '../../core/model/chart.ts';
import type { Run } from '../../core/model/run.ts';
import { momentText } from '../../core/report/moment-text.ts';
import { heading, type ReportDocument, sentence, table } from '../../core/report/report-document.ts';
import { describeNight } from '../../core/text/describe-night.ts';
import { counted, formatDuration } from '../../core/text/numbers.ts';
import { resolveSide } from '../compare/resolve-side.ts';
import { valueRuns } from '../compare/run-book.ts';
import { commitsOf } from '../list-runs.ts';
import { type RunView, readRun, type TaskView } from '../read-run.ts';
import { changeCharts, changeTable, inOrderOfWeight } from './change-rows.ts';
import { nightValues } from './night-values.ts';
import { nothingYet } from './nothing-yet.ts';
import type { ReportSources } from './report-request.ts';

const MANY = 1_000_000;
const [CHANGES, CHARTS, TASKS, LINES, MESSAGE] = [100, 6, 300, 50, 400];

/** A night: how it went, what changed, what failed or is missing, its values, and what else differs from the one before. */
export async function nightReport(
  { home, asked }: { readonly home: string; readonly asked: string },
  sources: ReportSources,
): Promise<ReportDocument> {
  const { store } = sources;
  const run = await findRun(asked, home, sources);
  const view = await readRun({ home, id: run.id }, sources);
  if (!view) throw nothingYet(home);
  const all = await store.changes({ limit: MANY });
  const told = all.filter(({ withdrawnAt, at }) => withdrawnAt === undefined && at <= run.startedAt);
  const title = `${run.project}: ${run.kind} of ${momentText(run.startedAt)}`;
  const { experiments, subsystems } = view;
  const ms = run.endedAt === undefined ? undefined : run.endedAt - run.startedAt;
  return {
    title,
    parts: [
      heading(1, title),
      sentence(`${capital(describeNight(experiments, subsystems, ms))}.`),
      factTable(view),
      ...view.run.warnings.slice(0, LINES).map((warning) => sentence(`Warning: ${warning}`)),
      ...(await changeParts(run, told, sources)),
      ...failedParts(view),
      ...(await missingParts(view, sources)),
      ...(await nightValues(run, told, store)),
      ...sinceParts(view),
      ...taskParts(view),
    ],
  };
}

async function findRun(asked: string, home: string, sources: ReportSources): Promise<Run> {
  if (asked === 'latest') {
    const [newest] = await valueRuns(sources.store, { limit: LINES });
    const [any] = newest ? [newest] : await sources.store.latestRuns({ limit: 1 });
    if (!any) throw nothingYet(home);
    return any;
  }
  const { runs } = await resolveSide(asked, home, sources);
  return runs[0];
}

function factTable({ run, machine, tasks, options, imported }: RunView): PlotPart {
  const commits = Object.entries(commitsOf(tasks.map(({ trial }) => trial))).map(
    ([source, hashes]) =>
      `${source} ${hashes.slice(0, 3).join(', ')}${hashes.length > 3 ? ` and ${hashes.length - 3} more` : ''}`,
  );
  const rows = [
    ['run', run.id],
    ['state', run.state],
    ['started', momentText(run.startedAt)],
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
  run: Run,
  told: readonly FollowedChange[],
  { store }: ReportSources,
): Promise<readonly PlotPart[]> {
  const begun = inOrderOfWeight(told.filter(({ runId }) => runId === run.id));
  const open = inOrderOfWeight(told.filter((change) => isOpen(change) && change.runId !== run.id));
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
    ...(isNone ? [] : [changeTable([...begun, ...open], CHANGES)]),
    ...charts,
  ];
}

function failedParts({ tasks }: RunView): readonly PlotPart[] {
  const failed = tasks.filter(({ trial }) => trial.state === 'failed');
  if (failed.length === 0) return [];
  const rows = failed.map(({ trial, stages }) => [
    { text: trial.task, tone: -1 },
    trial.failedStage ?? '',
    trial.message.slice(0, MESSAGE),
    stages.find(({ success }) => !success)?.log ?? '',
  ]);
  return [
    heading(2, 'Failed'),
    table({ columns: [`${failed.length} failed`, 'stage', 'message', 'log'], rows, most: TASKS }),
  ];
}

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

function sinceParts({ sinceBefore }: RunView): readonly PlotPart[] {
  if (!sinceBefore) return [];
  const { run, facts, unchanged, unknown, added } = sinceBefore;
  const rest = `${counted(unchanged, 'recorded fact')} the same, ${unknown} known on one side only.`;
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

function taskParts({ tasks }: RunView): readonly PlotPart[] {
  const ran = tasks.filter(({ trial }) => trial.state !== 'inactive');
  const inactive = tasks.length - ran.length;
  if (ran.length === 0) return [];
  return [
    heading(2, 'What ran'),
    table({
      columns: ['task', 'kind', 'state', 'took>', 'stages'],
      rows: ran.map(taskRow),
      most: TASKS,
      notes: inactive > 0 ? [`${inactive} inactive`] : [],
    }),
  ];
}

function taskRow({ trial, stages, points }: TaskView) {
  const failedPoints = points && points.failedCount > 0 ? `, ${points.failedCount} failed` : '';
  return [
    trial.title !== undefined && trial.title !== trial.task ? `${trial.title} (${trial.task})` : trial.task,
    trial.kind,
    { text: trial.state, tone: trial.state === 'failed' ? -1 : 0 },
    trial.durationMs === undefined ? '' : formatDuration(trial.durationMs),
    points ? `${counted(points.done, 'point')}${failedPoints}` : stages.map(({ stage }) => stage).join(', '),
  ];
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
