import { seriesText } from '../../../home/core/changes/change.ts';
import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import { formatChange, formatNumber } from '../../../platform/core/text/numbers.ts';
import { Day } from '../../../platform/page/parts/time.tsx';
import { Link } from '../../../platform/page/router/link.tsx';
import type { Column } from '../../../platform/page/table/column.ts';
import { certaintyText, effectText } from '../../core/changes/change-text.ts';
import { Shift } from '../change.tsx';
import { SeriesName } from '../series-name.tsx';
import { Sparkline } from '../sparkline.tsx';
import type { AroundBook } from './use-around.ts';

/** Who is selected; absent where nothing can be said of changes. */
export interface Selection {
  has(id: string): boolean;
  toggle(id: string): void;
}

export function changeColumns(around: AroundBook, selection?: Selection): readonly Column<FollowedChange>[] {
  return [
    ...(selection ? [selectColumn(selection)] : []),
    {
      ...{ key: 'change', title: 'change' },
      sortBy: ({ shift: { relative, difference } }) => Math.abs(relative ? relative.change : difference),
      cell: (change) => <Effect change={change} />,
    },
    {
      ...{ key: 'since', title: 'since' },
      sortBy: ({ at }) => at,
      cell: (change) => <Since change={change} around={around} />,
    },
    {
      ...{ key: 'series', title: 'series, and what else changed' },
      sortBy: ({ series }) => seriesText(series),
      cell: (change) => <Name change={change} />,
    },
    {
      ...{ key: 'spark', title: 'around it' },
      cell: (change) => <Spark change={change} around={around} />,
    },
    {
      ...{ key: 'certainty', title: 'certainty', isNumber: true },
      sortBy: ({ p }) => 1 - p,
      cell: ({ p }) => certaintyText(p),
    },
    {
      ...{ key: 'state', title: 'state' },
      sortBy: ({ state, withdrawnAt }) => (withdrawnAt === undefined ? state : 'withdrawn'),
      cell: (change) => <Standing change={change} />,
    },
  ];
}

function selectColumn({ has, toggle }: Selection): Column<FollowedChange> {
  return {
    ...{ key: 'select', title: <span class="hidden">select</span>, width: '1.6rem' },
    cell: ({ id, series }) => (
      <input
        type="checkbox"
        checked={has(id)}
        onChange={() => toggle(id)}
        aria-label={`Select the change ${id} of ${seriesText(series)}`}
      />
    ),
  };
}

interface Props {
  readonly change: FollowedChange;
}

function Effect({ change }: Props) {
  const { id, shift, unit } = change;
  return (
    <>
      <Link to={`/changes/${encodeURIComponent(id)}`} title={effectText(shift, unit)}>
        <Shift change={change} />
      </Link>
      <div class="second interval">{intervalText(change)}</div>
    </>
  );
}

/** "+3.9 to +6.3 %", or in the unit where the level before is zero. */
export function intervalText({ shift: { relative, low, high }, unit }: FollowedChange): string {
  if (!relative) return `${formatNumber(low, unit)} to ${formatNumber(high, unit)}`;
  return `${formatChange(relative.low).replace(/.%$/u, '')} to ${formatChange(relative.high)}`;
}

function Since({ change, around }: Props & { readonly around: AroundBook }) {
  const { at, runId, series, id } = change;
  const commits = Object.entries(around.get(id)?.commits ?? {});
  return (
    <>
      {series.kind === 'kpi' ? (
        <Day at={at} />
      ) : (
        <Link to={`/runs/${encodeURIComponent(runId)}`}>
          <Day at={at} />
        </Link>
      )}
      <div class="second">
        {commits.slice(0, 1).map(([source, commit]) => (
          <code key={source} title={commits.map(([name, hash]) => `${name} ${hash}`).join('\n')}>
            {commit.slice(0, 12)}
          </code>
        ))}
        {commits.length > 1 && ` and ${commits.length - 1} more`}
      </div>
    </>
  );
}

function Name({ change: { series, explanation = '', moved, note, author } }: Props) {
  const why = moved === undefined ? explanation : `${moved} measurements moved together`;
  const said = note === undefined ? '' : `${author === undefined ? '' : `${author}: `}${note}`;
  const words = [said, why].filter((one) => one !== '').join(' · ');
  return (
    <>
      <SeriesName series={series} />
      <div class="second" title={words}>
        {words}
      </div>
    </>
  );
}

function Spark({ change: { id, unit }, around }: Props & { readonly around: AroundBook }) {
  const found = around.get(id);
  if (!found || found.values.length === 0) return null;
  return (
    <Sparkline
      values={found.values.map((value) => value ?? undefined)}
      unit={unit}
      place="run"
      {...(found.place > 0 && { mark: found.place })}
    />
  );
}

function Standing({ change: { state, isProvisional, duet, withdrawnAt } }: Props) {
  const marks = [
    ...(isProvisional ? ['provisional'] : []),
    ...(duet ? [duet.state === 'unclear' ? 'duet unclear' : `${duet.state} by a duet`] : []),
  ];
  return (
    <>
      {withdrawnAt === undefined ? state : 'withdrawn'}
      <div class="second">{marks.join(', ')}</div>
    </>
  );
}
