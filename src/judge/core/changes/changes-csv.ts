import { seriesText } from '../../../home/core/changes/change.ts';
import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import { csvCell } from '../../../platform/core/text/csv.ts';

type Cell = string | number | boolean | undefined;

/** A table of changes for programs: exact numbers, times in UTC. */
export function changesCsv(changes: readonly FollowedChange[]): string {
  const rows = changes.map((change) => COLUMNS.map(([, of]) => cellText(of(change))).join(','));
  return `${[COLUMNS.map(([name]) => name).join(','), ...rows].join('\n')}\n`;
}

const COLUMNS: readonly (readonly [string, (change: FollowedChange) => Cell])[] = [
  ['id', ({ id }) => id],
  ['series', ({ series }) => seriesText(series)],
  ['state', ({ state }) => state],
  ['direction', ({ direction }) => direction],
  ['since', ({ at }) => iso(at)],
  ['run', ({ runId }) => runId],
  ['unit', ({ unit }) => unit],
  ['before', ({ before }) => before],
  ['after', ({ after }) => after],
  ['difference', ({ shift }) => shift.difference],
  ['difference_low', ({ shift }) => shift.low],
  ['difference_high', ({ shift }) => shift.high],
  ['relative', ({ shift }) => shift.relative?.change],
  ['relative_low', ({ shift }) => shift.relative?.low],
  ['relative_high', ({ shift }) => shift.relative?.high],
  ['p', ({ p }) => p],
  ['provisional', ({ isProvisional }) => isProvisional],
  ['duet', ({ duet }) => duet?.state],
  ['withdrawn', ({ withdrawnAt }) => (withdrawnAt === undefined ? undefined : iso(withdrawnAt))],
  ['author', ({ author }) => author],
  ['note', ({ note }) => note],
  ['explanation', ({ explanation }) => explanation],
];

function cellText(value: Cell): string {
  return value === undefined ? '' : csvCell(String(value));
}

function iso(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}
