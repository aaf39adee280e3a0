import { type Absentee, seriesText } from '../../../home/core/changes/change.ts';
import type { Absence } from '../../../home/core/changes/change-ledger.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';

/** "experiment sort has not come since 2026-01-31: 12 series", "sort/size: stopped coming, last seen 2026-01-31". */
export function absenceText({ series, lastAt, count }: Absence): string {
  const date = new Date(lastAt);
  const day = Number.isNaN(date.getTime()) ? 'an unknown day' : date.toISOString().slice(0, 10);
  const name = absenteeText(series);
  const isWhole = series.kind === 'experiment' || series.kind === 'workload';
  return isWhole
    ? `${name} has not come since ${day}: ${counted(count ?? 0, 'series', 'series')}`
    : `${name}: stopped coming, last seen ${day}`;
}

/** "experiment sort", "workload tiny", "sort/size". */
export function absenteeText(absentee: Absentee): string {
  if (absentee.kind === 'experiment') return `experiment ${visible(absentee.experiment)}`;
  if (absentee.kind === 'workload') return `workload ${visible(absentee.workload)}`;
  return visible(seriesText(absentee));
}
