import { useEffect, useMemo } from 'preact/hooks';
import { SPARK_NIGHTS } from '../../../home/core/home-pages.ts';
import { State } from '../../../home/page/state.tsx';
import { DriftNote, NewestChange, pathText } from '../../../judge/page/change-parts.tsx';
import { Sparkline } from '../../../judge/page/sparkline.tsx';
import { counted, formatDuration } from '../../../platform/core/text/numbers.ts';
import { FilterBox } from '../../../platform/page/parts/controls.tsx';
import { Quantity } from '../../../platform/page/parts/display.tsx';
import { Day } from '../../../platform/page/parts/time.tsx';
import { goTo, useParameter } from '../../../platform/page/router/address.ts';
import { Link } from '../../../platform/page/router/link.tsx';
import type { Column } from '../../../platform/page/table/column.ts';
import { DataTable } from '../../../platform/page/table/data-table.tsx';
import type { HomeExperiment, HomeRow, HomeValue, HomeView } from '../../app/home/home-view.ts';
import { useValues, type ValueLoader } from './use-values.ts';

/** One row for each value that is shown, with its newest value, its change and its last nights. */
export function ValueTable({ view }: { readonly view: HomeView }) {
  const [filter = '', setFilter] = useParameter('filter');
  const [sort] = useParameter('sort');
  const loader = useValues(view);
  const lines = useMemo(() => valueLines(view, filter), [view, filter]);
  // To sort by change all of them must be known.
  const isByChange = sort?.endsWith('change') === true;
  useEffect(() => {
    if (isByChange) loader.request(view.rows.map((_, place) => place));
  }, [isByChange, view]);
  const isGrouped = sort === undefined || sort === 'name';
  const columns = useMemo(() => columnsOf(view, loader, isGrouped), [view, loader.known, isGrouped]);
  const hidden = lines.all - lines.shown.length;
  return (
    <>
      <div class="controls">
        <FilterBox value={filter} onChange={setFilter} placeholder="name or value" hidden={hidden} />
        {isByChange && loader.known < view.rows.length && (
          <span class="quiet" role="status">
            judged {loader.known} of {view.rows.length}
          </span>
        )}
      </div>
      <div class="values" aria-busy={loader.isBusy}>
        <DataTable
          caption="Values of all experiments"
          rows={lines.shown}
          columns={columns}
          rowKey={({ key }) => key}
          rowHeight={34}
          onSight={(rows) =>
            loader.request(rows.flatMap(({ place }) => (place === undefined ? [] : [place])))
          }
          onOpen={({ experiment }) => goTo(`/experiments/${encodeURIComponent(experiment.name)}`)}
          empty="No experiment matches."
        />
      </div>
    </>
  );
}

function columnsOf(view: HomeView, loader: ValueLoader, isGrouped: boolean): readonly Column<ValueLine>[] {
  const found = ({ place }: ValueLine) => (place === undefined ? undefined : loader.get(place));
  return [
    {
      ...{ key: 'name', title: 'experiment' },
      sortBy: ({ experiment }) => experiment.name,
      cell: ({ experiment, isFirst }) => (isFirst || !isGrouped) && <Name experiment={experiment} />,
    },
    {
      ...{ key: 'state', title: 'last night' },
      sortBy: ({ experiment: { state } }) => state,
      cell: ({ experiment, isFirst }) => (isFirst || !isGrouped) && <Standing experiment={experiment} />,
    },
    {
      ...{ key: 'value', title: 'value' },
      sortBy: ({ row }) => row && pathText(row.path),
      cell: (line) => <ValueName line={line} />,
    },
    {
      ...{ key: 'newest', title: 'newest', isNumber: true },
      cell: (line) => <Newest row={line.row} value={found(line)} />,
    },
    {
      ...{ key: 'change', title: 'change', isNumber: true },
      sortBy: (line) => {
        const { relative } = found(line)?.newest?.shift ?? {};
        return relative && Math.abs(relative.change);
      },
      cell: (line) => <Change line={line} value={found(line)} night={view.last?.startedAt} />,
    },
    {
      ...{ key: 'spark', title: counted(Math.min(SPARK_NIGHTS, view.nights.length), 'night') },
      cell: (line) => <Spark line={line} value={found(line)} />,
    },
  ];
}

function Name({ experiment: { name, title } }: { readonly experiment: HomeExperiment }) {
  return (
    <>
      <Link to={`/experiments/${encodeURIComponent(name)}`} title={name}>
        {name}
      </Link>{' '}
      {title !== undefined && <span class="quiet title">{title}</span>}
    </>
  );
}

function Standing({ experiment: { state, durationMs } }: { readonly experiment: HomeExperiment }) {
  const hasRun = state === 'succeeded' || state === 'failed';
  return (
    <>
      <State state={state} />{' '}
      {hasRun && durationMs !== undefined && <span class="quiet">{formatDuration(durationMs)}</span>}
    </>
  );
}

function ValueName({ line: { experiment, row, isLast } }: { readonly line: ValueLine }) {
  if (!row) return <span class="quiet">{whyEmpty(experiment)}</span>;
  return (
    <span class="value-name">
      <span class="path" title={pathText(row.path)}>
        {row.path.length > 1 && <span class="path-head">{pathText(row.path.slice(0, -1))} / </span>}
        {pathText(row.path.slice(-1))}
      </span>{' '}
      {isLast && experiment.moreValues > 0 && (
        <Link class="quiet" to={`/experiments/${encodeURIComponent(experiment.name)}`}>
          {counted(experiment.moreValues, 'more value')}
        </Link>
      )}
    </span>
  );
}

interface ValueProps {
  readonly value: HomeValue | undefined;
}

function Newest({ row, value }: ValueProps & { readonly row: HomeRow | undefined }) {
  if (row === undefined || value === undefined) return null;
  return value.value === undefined ? <>~</> : <Quantity value={value.value} unit={row.unit} />;
}

function Change({
  line,
  value,
  night,
}: ValueProps & { readonly line: ValueLine; readonly night: number | undefined }) {
  const { row, experiment } = line;
  if (!row || !value) return null;
  const isStale =
    experiment.state === 'missing' || (!experiment.isImported && (value.at ?? 0) < (night ?? 0));
  if (isStale && value.at !== undefined) {
    return (
      <span class="quiet">
        of <Day at={value.at} />
      </span>
    );
  }
  return (
    <>
      <NewestChange unit={row.unit} {...(value.newest && { newest: value.newest })} />{' '}
      {value.drift && <DriftNote drift={value.drift} unit={row.unit} />}
    </>
  );
}

function Spark({ line, value }: ValueProps & { readonly line: ValueLine }) {
  if (!value || !line.row) return null;
  return (
    <Sparkline
      values={value.spark.map((one) => one ?? undefined)}
      failed={line.experiment.isImported ? [] : line.experiment.failedAt}
      unit={line.row.unit}
      place={line.experiment.isImported ? 'run' : 'night'}
    />
  );
}

function whyEmpty({ state }: HomeExperiment): string {
  if (state === 'failed') return 'no value yet: it failed';
  if (state === 'inactive') return 'inactive: "active" is false in its configuration';
  return 'no number in its data files yet';
}

/** A row of the table: a value, or an experiment that has none. */
export interface ValueLine {
  readonly key: string;
  readonly experiment: HomeExperiment;
  readonly row?: HomeRow;
  /** Place among the rows of the view: its values are fetched by it. */
  readonly place?: number;
  /** First and last line of its experiment. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** Lines whose experiment, title or path matches all search terms. */
function valueLines(
  view: HomeView,
  filter: string,
): { readonly shown: readonly ValueLine[]; readonly all: number } {
  const terms = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((term) => term !== '');
  const shown: ValueLine[] = [];
  let all = 0;
  let place = 0;
  for (const [index, experiment] of view.experiments.entries()) {
    const rows: { row?: HomeRow; place?: number; text: string }[] = [];
    const name = `${experiment.name} ${experiment.title ?? ''}`.toLowerCase();
    while (view.rows[place]?.experiment === index) {
      const row = view.rows[place];
      if (row) rows.push({ row, place, text: `${name} ${row.path.join(' ').toLowerCase()}` });
      place++;
    }
    if (rows.length === 0) rows.push({ text: name });
    all += rows.length;
    const matching = rows.filter(({ text }) => terms.every((term) => text.includes(term)));
    for (const [number, { text: _text, ...line }] of matching.entries()) {
      const [isFirst, isLast] = [number === 0, number === matching.length - 1];
      shown.push({ key: `${experiment.name} ${line.row?.id ?? ''}`, experiment, ...line, isFirst, isLast });
    }
  }
  return { shown, all };
}
