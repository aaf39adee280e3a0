import { useEffect, useRef, useState } from 'preact/hooks';
import { seriesText } from '../../../home/core/changes/change.ts';
import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import { formatChange, formatNumber } from '../../../platform/core/text/numbers.ts';
import { theSource } from '../../../platform/page/data/source.ts';
import { Day } from '../../../platform/page/parts/time.tsx';
import { Link } from '../../../platform/page/router/link.tsx';
import type { Column } from '../../../platform/page/table/column.ts';
import type { ChangeAround, ChangesAround, ChangeTable } from '../../app/changes/change-table.ts';
import { AROUND_PER_PAGE } from '../../core/changes/change-pages.ts';
import { certaintyText, effectText } from '../../core/changes/change-text.ts';
import { Commits, SeriesName, Shift } from '../change-parts.tsx';
import { Sparkline } from '../sparkline.tsx';

/** Who is selected; absent where changes cannot be triaged. */
export interface Selection {
  has(id: string): boolean;
  toggle(id: string): void;
}

export function changeColumns(around: AroundCache, selection?: Selection): readonly Column<FollowedChange>[] {
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
      <div class="second interval">{change.hardware ?? intervalText(change)}</div>
    </>
  );
}

/** "+3.9 to +6.3 %", or in the unit where the level before is zero. */
export function intervalText({ shift: { relative, low, high }, unit }: FollowedChange): string {
  if (!relative) return `${formatNumber(low, unit)} to ${formatNumber(high, unit)}`;
  return `${formatChange(relative.low).replace(/.%$/u, '')} to ${formatChange(relative.high)}`;
}

function Since({ change, around }: Props & { readonly around: AroundCache }) {
  const { at, runId, series, id, sources = [] } = change;
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
        {sources.map((range) => (
          <Commits key={range.source} range={range} />
        ))}
        {sources.length === 0 &&
          commits.slice(0, 1).map(([source, commit]) => (
            <code key={source} title={commits.map(([name, hash]) => `${name} ${hash}`).join('\n')}>
              {commit.slice(0, 12)}
            </code>
          ))}
        {sources.length === 0 && commits.length > 1 && ` and ${commits.length - 1} more`}
      </div>
    </>
  );
}

function Name({ change: { series, explanation = '', moved, note, author } }: Props) {
  const why = moved === undefined ? explanation : `${moved} measurements moved together`;
  const remark = note === undefined ? '' : `${author === undefined ? '' : `${author}: `}${note}`;
  const text = [remark, why].filter((one) => one !== '').join(' · ');
  return (
    <>
      <SeriesName series={series} />
      <div class="second" title={text}>
        {text}
      </div>
    </>
  );
}

function Spark({ change: { id, unit }, around }: Props & { readonly around: AroundCache }) {
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

/** What lies around changes, fetched in pages when they come into sight. */
export interface AroundCache {
  get(id: string): ChangeAround | undefined;
  want(ids: readonly string[]): void;
  readonly known: number;
}

export function useAround({ changes }: ChangeTable): AroundCache {
  const [found, setFound] = useState<ReadonlyMap<string, ChangeAround>>(new Map());
  const requested = useRef(new Set<number>());
  const places = useRef<ReadonlyMap<string, number>>(new Map());
  // Triage moves no row: only other changes do.
  const key = changes.map(({ id, runId }) => `${id} ${runId}`).join();
  useEffect(() => {
    places.current = new Map(changes.map(({ id }, place) => [id, place]));
    const again = [...requested.current];
    requested.current.clear();
    for (const page of again) fetchPage(page);
  }, [key]);
  const fetchPage = (page: number) => {
    if (requested.current.has(page)) return;
    requested.current.add(page);
    theSource()
      .json(`changes/around/${page}`, new AbortController().signal)
      .then((document) => {
        const { around } = document as ChangesAround;
        setFound((before) => new Map([...before, ...around.map((one) => [one.id, one] as const)]));
      })
      .catch(() => requested.current.delete(page));
  };
  return {
    get: (id) => found.get(id),
    want(ids) {
      const known = places.current.size > 0 ? places.current : new Map(changes.map(({ id }, at) => [id, at]));
      for (const page of new Set(ids.map((id) => Math.floor((known.get(id) ?? 0) / AROUND_PER_PAGE))))
        fetchPage(page);
    },
    known: found.size,
  };
}
