import { useMemo } from 'preact/hooks';
import { counted, formatChange, formatNumber } from '../../../platform/core/text/numbers.ts';
import { FilterBox } from '../../../platform/page/parts/controls.tsx';
import { Quantity } from '../../../platform/page/parts/display.tsx';
import { setParameters, useParameter } from '../../../platform/page/router/address.ts';
import { Link } from '../../../platform/page/router/link.tsx';
import type { Column } from '../../../platform/page/table/column.ts';
import { DataTable } from '../../../platform/page/table/data-table.tsx';
import type { CompareView } from '../../app/compare/compare-view.ts';
import { basisText } from '../../core/compare/compare-text.ts';
import { type ComparedRow, weightOf } from '../../core/compare/compared-row.ts';
import { pathText } from '../change-parts.tsx';
import { moreHeight, RowMore } from './row-details.tsx';
import { readShown, rowName, shownRows } from './shown-rows.ts';
import { VerdictChips, VerdictMark } from './verdict-chips.tsx';

/** Every series with its verdict: what differs first, the rest counted and one click away. */
export function CompareTable({ view }: { readonly view: CompareView }) {
  const [filter = '', setFilter] = useParameter('filter');
  const [show] = useParameter('show');
  const [open, setOpen] = useParameter('row');
  const shown = readShown(show, view.rows);
  const found = useMemo(() => shownRows(view.rows, shown, filter), [view, shown, filter]);
  const toggle = (row: ComparedRow) => setOpen(rowName(row) === open ? undefined : rowName(row));
  const columns = useMemo(() => columnsOf(open, toggle), [open]);
  return (
    <>
      <div class="controls">
        <FilterBox value={filter} onChange={setFilter} placeholder="experiment or value" />
        <VerdictChips counts={view.counts} all={view.rows.length} shown={shown} />
      </div>
      <Hidden view={view} other={found.otherVerdicts} filtered={found.filtered} />
      <DataTable
        caption="Series of both sides"
        rows={found.rows}
        columns={columns}
        rowKey={({ experiment, path }) => JSON.stringify([experiment, path])}
        rowHeight={32}
        onOpen={toggle}
        isSelected={(row) => rowName(row) === open}
        detail={{
          height: moreHeight(),
          isOpen: (row) => rowName(row) === open,
          draw: (row) => <RowMore row={row} view={view} />,
        }}
        empty={view.rows.length === 0 ? 'Neither side has a value.' : 'No series matches.'}
      />
    </>
  );
}

interface HiddenProps {
  readonly view: CompareView;
  readonly other: number;
  readonly filtered: number;
}

/** Whatever is not in the table, with the way to see it. */
function Hidden({ view: { details, counts }, other, filtered }: HiddenProps) {
  if (other + filtered + details + counts.heldBack === 0) return null;
  return (
    <p class="quiet hidden-rows">
      {other > 0 && (
        <button type="button" class="plain link" onClick={() => setParameters({ show: 'all' })}>
          {counted(other, 'row')} of other verdicts hidden: show all
        </button>
      )}{' '}
      {filtered > 0 && (
        <button type="button" class="plain link" onClick={() => setParameters({ filter: undefined })}>
          {counted(filtered, 'row')} hidden by the filter: show all
        </button>
      )}{' '}
      {details > 0 && (
        <button type="button" class="plain link" onClick={() => setParameters({ details: '1' })}>
          {counted(details, 'spread or count', 'spreads and counts')} not compared: compare too
        </button>
      )}{' '}
      {counts.heldBack > 0 && (
        <button type="button" class="plain link" onClick={() => setParameters({ show: 'undecided' })}>
          {counts.heldBack} held back: among so many series some look different by chance
        </button>
      )}
    </p>
  );
}

function columnsOf(
  open: string | undefined,
  toggle: (row: ComparedRow) => void,
): readonly Column<ComparedRow>[] {
  return [
    {
      ...{ key: 'verdict', title: 'verdict', width: '8.5rem' },
      sortBy: ({ verdict }) => verdict,
      cell: (row) => (
        <button
          type="button"
          class="plain"
          aria-expanded={rowName(row) === open}
          title={basisText(row)}
          onClick={() => toggle(row)}
        >
          <span aria-hidden="true">{rowName(row) === open ? '▾' : '▸'}</span> <VerdictMark row={row} />
        </button>
      ),
    },
    {
      ...{ key: 'change', title: 'change', isNumber: true },
      sortBy: weightOf,
      cell: (row) => <ChangeCell row={row} />,
    },
    {
      ...{ key: 'name', title: 'experiment' },
      sortBy: ({ experiment }) => experiment,
      cell: ({ experiment }) => (
        <Link to={`/experiments/${encodeURIComponent(experiment)}`} title={experiment}>
          {experiment}
        </Link>
      ),
    },
    {
      ...{ key: 'value', title: 'value' },
      sortBy: ({ path }) => pathText(path),
      cell: ({ path }) => (
        <span class="path" title={pathText(path)}>
          {pathText(path)}
        </span>
      ),
    },
    { ...{ key: 'interval', title: 'interval', isNumber: true }, cell: (row) => <IntervalCell row={row} /> },
    {
      ...{ key: 'base', title: 'base', isNumber: true },
      sortBy: ({ base }) => base?.value,
      cell: ({ base, unit }) => base && <Quantity value={base.value} unit={unit} />,
    },
    {
      ...{ key: 'head', title: 'head', isNumber: true },
      sortBy: ({ head }) => head?.value,
      cell: ({ head, unit }) => head && <Quantity value={head.value} unit={unit} />,
    },
  ];
}

function ChangeCell({ row: { change, shift, unit, verdict } }: { readonly row: ComparedRow }) {
  const text =
    change !== undefined ? formatChange(change) : shift ? formatNumber(shift.difference, unit) : undefined;
  if (text === undefined) return null;
  const isQuiet = verdict === 'same' || verdict === 'undecided';
  return <span class={isQuiet ? 'quiet' : ''}>{verdict === 'undecided' ? `${text} ~` : text}</span>;
}

function IntervalCell({ row: { shift, unit, base, head } }: { readonly row: ComparedRow }) {
  if (!shift) return base && head ? <span class="quiet">not known</span> : null;
  const { relative, low, high } = shift;
  const text = relative
    ? `${formatChange(relative.low).replace(/.%$/u, '')} to ${formatChange(relative.high)}`
    : `${formatNumber(low, unit)} to ${formatNumber(high, unit)}`;
  return <span class="quiet interval">{text}</span>;
}
