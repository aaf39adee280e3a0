import type { Absence } from '../model/change-ledger.ts';
import { counted } from '../text/numbers.ts';
import { visible } from '../text/visible.ts';
import { seriesText } from './series-key.ts';

/** "experiment sort has not come since 2026-01-31: 12 series", "sort/size: stopped coming, last seen 2026-01-31". */
export function absenceText({ series, lastAt, count }: Absence): string {
  const date = new Date(lastAt);
  const day = Number.isNaN(date.getTime()) ? 'an unknown day' : date.toISOString().slice(0, 10);
  if (series.kind !== 'experiment') return `${visible(seriesText(series))}: stopped coming, last seen ${day}`;
  return `experiment ${visible(series.experiment)} has not come since ${day}: ${counted(count ?? 0, 'series', 'series')}`;
}
