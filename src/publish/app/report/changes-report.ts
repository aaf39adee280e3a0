import type { PlotPart } from '../../../charts/core/chart.ts';
import { type ChangeList, listChanges } from '../../../judge/app/changes/list-changes.ts';
import { absenceText } from '../../../judge/core/changes/change-text.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { heading, type ReportDocument, sentence, table } from '../../core/report/report-document.ts';
import { changeCharts, changeTable, inOrderOfWeight } from './change-table.ts';
import { linksTo } from './report-cells.ts';
import type { ReportSources } from './report-request.ts';

const MANY = 1_000_000;
const ROWS = 200;
const CHARTS = 8;

/** Everything that is open: the changes with their charts, and what is missing. */
export async function changesReport({ store, page }: ReportSources): Promise<ReportDocument> {
  const [run] = await store.latestRuns({ limit: 1 });
  const list = await listChanges({ states: ['open'], directions: [], limit: MANY }, store);
  const changes = inOrderOfWeight(list.changes);
  const title = run ? `${run.project}: open changes` : 'Open changes';
  const charts = await changeCharts(changes, CHARTS, store);
  const parts: readonly PlotPart[] = [
    heading(1, title),
    sentence(answer(list)),
    ...(run ? [sentence(`As of run ${run.id}.`)] : []),
    ...(changes.length === 0 ? [] : [heading(2, 'Changes'), changeTable(changes, ROWS, linksTo(page))]),
    ...(charts.length === 0 ? [] : [heading(2, 'Their values'), ...charts]),
    ...(changes.length > charts.length && charts.length > 0
      ? [sentence(`Charts of the ${charts.length} largest of ${counted(changes.length, 'change')}.`)]
      : []),
    ...absentParts(list),
    ...hiddenParts(list),
  ];
  return { title, parts };
}

function answer({ changes, openRegressions, openMachineEvents, openUnknown, absences }: ChangeList): string {
  const counts = [
    openRegressions === 0 ? 'no open regression' : counted(openRegressions, 'open regression'),
    ...(openMachineEvents > 0 ? [`${counted(openMachineEvents, 'event')} of machines`] : []),
    ...(openUnknown > 0 ? [`${openUnknown} of unknown direction`] : []),
    ...(absences.length > 0 ? [`${absences.length} missing`] : []),
  ];
  return `${counted(changes.length, 'open change')}: ${counts.join(', ')}.`;
}

function absentParts({ absences }: ChangeList): readonly PlotPart[] {
  if (absences.length === 0) return [];
  const rows = absences.map((absence) => [absenceText(absence)]);
  return [heading(2, 'Stopped coming'), table({ columns: ['what'], rows, most: ROWS })];
}

function hiddenParts({ hidden }: ChangeList): readonly PlotPart[] {
  return hidden.state === 0
    ? []
    : [sentence(`${counted(hidden.state, 'change')} that were reviewed or withdrawn: not shown.`)];
}
