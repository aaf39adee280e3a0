import type { PlotPart } from '../../../charts/core/chart.ts';
import { commitsOf } from '../../../dashboard/app/list-runs.ts';
import { type RunView, readRun } from '../../../dashboard/app/read-run.ts';
import { type FollowedChange, isOpen } from '../../../home/core/changes/change-ledger.ts';
import type { BriefRun } from '../../../home/core/run.ts';
import { resolveSide, valueRuns } from '../../../judge/app/compare/resolve-side.ts';
import { changeText, nameText } from '../../../judge/core/explain/explanation-text.ts';
import { describeNight } from '../../../platform/core/text/describe-night.ts';
import { counted, formatDuration } from '../../../platform/core/text/numbers.ts';
import { momentText } from '../../core/report/moment-text.ts';
import { heading, type ReportDocument, sentence, table } from '../../core/report/report-document.ts';
import { changeCharts, changeTable, inOrderOfWeight } from './change-rows.ts';
import { failedParts, missingParts, taskParts } from './night-tasks.ts';
import { nightValues } from './night-values.ts';
import { nothingYet } from './nothing-yet.ts';
import { linksTo, type ReportLinks } from './report-links.ts';
import type { ReportSources } from './report-request.ts';

const MANY = 1_000_000;
const [CHANGES, CHARTS, LINES] = [100, 6, 50];

/** A night: how it went, what changed, what failed or is missing, its values, and what else differs from the one before. */
export async function nightReport(
  { home, asked }: { readonly home: string; readonly asked: string },
  sources: ReportSources,
): Promise<ReportDocument> {
  const { store } = sources;
  const links = linksTo(sources.page);
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
      factTable(view, links),
      ...view.run.warnings.slice(0, LINES).map((warning) => sentence(`Warning: ${warning}`)),
      ...(await changeParts(run, told, sources)),
      ...failedParts(view, links),
      ...(await missingParts(view, sources)),
      ...(await nightValues({ run, changes: told, links }, store)),
      ...sinceParts(view),
      ...taskParts(view, links),
    ],
  };
}

async function findRun(asked: string, home: string, sources: ReportSources): Promise<BriefRun> {
  if (asked === 'latest') {
    const [newest] = await valueRuns(sources.store, { limit: LINES });
    const [any] = newest ? [newest] : await sources.store.latestRuns({ limit: 1 });
    if (!any) throw nothingYet(home);
    return any;
  }
  const { runs } = await resolveSide(asked, home, sources);
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
  run: BriefRun,
  told: readonly FollowedChange[],
  { store, page }: ReportSources,
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
    ...(isNone ? [] : [changeTable([...begun, ...open], CHANGES, linksTo(page))]),
    ...charts,
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

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
