import type { PlotPart, TableCell } from '../../../charts/core/chart.ts';
import { seriesText } from '../../../home/core/changes/change.ts';
import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import type { Store } from '../../../home/core/store.ts';
import { SeriesFinder } from '../../../judge/app/series/series-finder.ts';
import { certaintyText, effectText, levelsText } from '../../../judge/core/changes/change-text.ts';
import { shortText } from '../../../judge/core/explain/explanation-text.ts';
import { changeChart } from '../../core/report/change-chart.ts';
import { dayText } from '../../core/report/moment-text.ts';
import { table } from '../../core/report/report-document.ts';
import type { ReportLinks } from './report-links.ts';

/** Changes as a table: what is worse and largest first. */
export function changeTable(changes: readonly FollowedChange[], most: number, links: ReportLinks): PlotPart {
  return table({
    columns: ['change', 'value', 'effect', 'levels', 'certainty', 'begins', 'state', 'explanation'],
    rows: changes.map((change) => [
      links.change(change.id),
      change.series.kind === 'value'
        ? links.experiment(change.series.experiment, seriesText(change.series))
        : seriesText(change.series),
      { text: effectText(change.shift, change.unit), tone: toneOf(change) },
      change.moved === undefined ? levelsText(change) : `${change.moved} measurements`,
      certaintyText(change.p),
      dayText(change.at),
      stateText(change),
      shortText(change.explanation ?? '', 200),
    ]),
    most,
  });
}

export function inOrderOfWeight(changes: readonly FollowedChange[]): readonly FollowedChange[] {
  const rank = ({ direction }: FollowedChange) => ['worse', 'unknown', 'better'].indexOf(direction);
  return changes.toSorted((a, b) => rank(a) - rank(b) || sizeOf(b) - sizeOf(a) || b.at - a.at);
}

export function stateText({ state, isProvisional, withdrawnAt }: FollowedChange): string {
  if (withdrawnAt !== undefined) return 'withdrawn';
  return isProvisional ? `${state}, provisional` : state;
}

export function toneOf({ direction }: Pick<FollowedChange, 'direction'>): NonNullable<TableCell['tone']> {
  return direction === 'worse' ? -1 : direction === 'better' ? 1 : 0;
}

const VALUES = 120;

/** A chart for each of the first changes that have values. */
export async function changeCharts(
  changes: readonly FollowedChange[],
  most: number,
  store: Store,
): Promise<readonly PlotPart[]> {
  const finder = new SeriesFinder(store);
  const parts: PlotPart[] = [];
  for (const change of changes) {
    if (parts.length === most) break;
    const history = await finder.history(change.series, { limit: VALUES });
    if (!history || history.values.length < 2) continue;
    const chart = { ...changeChart(change, history), subtitle: effectText(change.shift, change.unit) };
    parts.push({ type: 'chart', chart });
  }
  return parts;
}

function sizeOf({ shift: { relative, difference } }: FollowedChange): number {
  return Math.abs(relative?.change ?? difference);
}
