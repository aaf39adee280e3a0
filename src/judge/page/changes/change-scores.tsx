import type { Column } from '../../../platform/page/table/column.ts';
import { DataTable } from '../../../platform/page/table/data-table.tsx';
import type { Score } from '../../core/backtest/scorecard.ts';

/** How often the detector was right, by the triage of its changes. */
export function ScoreTable({ scores }: { readonly scores: readonly Score[] }) {
  const judged = scores.reduce((sum, score) => sum + score.real + score.expected + score.false, 0);
  if (judged === 0) return null;
  const wrong = scores.reduce((sum, score) => sum + score.false, 0);
  return (
    <section aria-labelledby="scores">
      <h2 id="scores">How often it was right</h2>
      <p class="quiet">
        Of {judged} changes that somebody spoke about {judged - wrong} were real or expected, {wrong} were
        false. The interval is one of 95 %.
      </p>
      <DataTable
        caption="Reported changes, by experiment, and their triage"
        rows={scores}
        columns={COLUMNS}
        rowKey={({ detector, group }) => `${detector} ${group}`}
        sortName="scores"
        maxHeight="40vh"
      />
    </section>
  );
}

const COLUMNS: readonly Column<Score>[] = [
  { key: 'group', title: 'experiment', sortBy: ({ group }) => group, cell: ({ group }) => group },
  {
    key: 'detector',
    title: 'detector',
    sortBy: ({ detector }) => detector,
    cell: ({ detector }) => detector,
  },
  ...(['alerts', 'real', 'expected', 'false', 'open'] as const).map(
    (key): Column<Score> => ({
      ...{ key, title: key === 'alerts' ? 'reported' : key, isNumber: true },
      sortBy: (score) => score[key],
      cell: (score) => score[key],
    }),
  ),
  {
    ...{ key: 'right', title: 'right', isNumber: true },
    sortBy: ({ precision }) => precision?.share,
    cell: ({ precision }) => (precision ? rightText(precision) : '~'),
  },
  {
    ...{ key: 'days', title: 'days to alert', isNumber: true },
    sortBy: ({ medianDays }) => medianDays,
    cell: ({ medianDays }) => (medianDays === undefined ? '~' : medianDays.toFixed(1)),
  },
];

function rightText({ share, low, high }: NonNullable<Score['precision']>): string {
  const percent = (part: number) => Math.round(part * 100);
  return `${percent(share)} % (${percent(low)} to ${percent(high)})`;
}
