import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useParameter } from '../router/address.ts';
import { type Column, readSorting, type Sorting, sortRows, writeSorting } from './column.ts';
import { useWindow } from './use-window.ts';

export interface DataTableProps<Row> {
  /** For screen readers. */
  readonly caption: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  /** Parameter of the address that holds the sorting: two tables of one page need two. */
  readonly sortName?: string;
  readonly defaultSort?: Sorting;
  /** Enter on a row. */
  readonly onOpen?: (row: Row) => void;
  /** Another key while the table has the focus, with the row that j and k have led to; true: it was for this. */
  readonly onKey?: (key: string, row: Row | undefined) => boolean;
  readonly isSelected?: (row: Row) => boolean;
  /** Gets the visible rows, for what is fetched only then. */
  readonly onSight?: (rows: readonly Row[]) => void;
  readonly rowHeight?: number;
  /** Most that the table takes of the window before it scrolls by itself. */
  readonly maxHeight?: string;
  readonly empty?: ComponentChildren;
  /** More of a row, below it while it is open; of one height, too. */
  readonly detail?: RowDetail<Row>;
}

export interface RowDetail<Row> {
  readonly height: number;
  readonly isOpen: (row: Row) => boolean;
  readonly draw: (row: Row) => ComponentChildren;
}

/**
 * A table that draws only the rows in sight: a hundred thousand cost no more than fifty. Rows are of one height. The
 * head stays; j and k (or the arrows) go from row to row, Enter opens; the sorting is in the address.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const {
    caption,
    rows,
    columns,
    rowKey,
    sortName = 'sort',
    defaultSort,
    onOpen,
    onKey,
    isSelected,
    onSight,
  } = props;
  const { rowHeight = 30, maxHeight = '75vh', empty = 'Nothing to show.', detail } = props;
  const [given, setSort] = useParameter(sortName);
  const sorting = readSorting(given) ?? defaultSort;
  const sorted = useMemo(
    () => sortRows(rows, columns, sorting),
    [rows, columns, sorting?.key, sorting?.isDescending],
  );
  const scroller = useRef<HTMLElement>(null);
  const isOpen = (row: Row | undefined) => row !== undefined && detail?.isOpen(row) === true;
  const heightOf = (index: number) => rowHeight + (isOpen(sorted[index]) ? (detail?.height ?? 0) : 0);
  const layout = detail ? sorted.flatMap((row, index) => (detail.isOpen(row) ? [index] : [])).join() : '';
  const view = useWindow(scroller, { count: sorted.length, heightOf, layout });
  const [first = 0, last = -1] = [view.items[0]?.index, view.items.at(-1)?.index];
  useEffect(() => onSight?.(sorted.slice(first, last + 1)), [sorted, first, last]);
  const [active, setActive] = useState(-1);
  const move = (to: number) => {
    const place = Math.max(0, Math.min(sorted.length - 1, to));
    setActive(place);
    view.scrollTo(place);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    const row = sorted[active];
    if (step !== undefined) move(active + step);
    else if (event.key === 'Home') move(0);
    else if (event.key === 'End') move(sorted.length - 1);
    else if (event.key === 'Enter' && row !== undefined && event.target === scroller.current) onOpen?.(row);
    else if (!onKey?.(event.key, row)) return;
    event.preventDefault();
  };
  if (rows.length === 0) return <p class="quiet">{empty}</p>;
  return (
    <section
      class="table-scroll"
      ref={scroller}
      style={{ maxHeight }}
      tabIndex={0}
      onKeyDown={onKeyDown}
      aria-label={caption}
    >
      <table class="data" aria-rowcount={sorted.length + 1}>
        <TableHead columns={columns} sorting={sorting} onSort={(next) => setSort(writeSorting(next))} />
        <tbody>
          {view.above > 0 && <tr class="room" style={{ height: `${view.above}px` }} />}
          {view.items.map(({ index }) => {
            const row = sorted[index];
            if (row === undefined) return null;
            const classes = [index === active && 'active', isSelected?.(row) && 'selected']
              .filter(Boolean)
              .join(' ');
            return (
              <Fragment key={rowKey(row)}>
                <tr class={classes} style={{ height: `${rowHeight}px` }} aria-rowindex={index + 2}>
                  {columns.map(({ key, cell, isNumber }) => (
                    <td key={key} class={isNumber ? 'number' : ''}>
                      {cell(row)}
                    </td>
                  ))}
                </tr>
                {detail && isOpen(row) && (
                  <tr class="more" style={{ height: `${detail.height}px` }}>
                    <td colSpan={columns.length}>{detail.draw(row)}</td>
                  </tr>
                )}
              </Fragment>
            );
          })}
          {view.below > 0 && <tr class="room" style={{ height: `${view.below}px` }} />}
        </tbody>
      </table>
    </section>
  );
}

/** Keys are text there; a box that is checked has none. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.type !== 'checkbox';
}

const STEPS: Readonly<Record<string, number>> = {
  j: 1,
  ArrowDown: 1,
  k: -1,
  ArrowUp: -1,
  PageDown: 20,
  PageUp: -20,
};

interface TableHeadProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly sorting: Sorting | undefined;
  readonly onSort: (sorting: Sorting) => void;
}

/** The titles; a click sorts by that column, a second one the other way round. */
function TableHead<Row>({ columns, sorting, onSort }: TableHeadProps<Row>) {
  return (
    <thead>
      <tr>
        {columns.map(({ key, title, sortBy, isNumber, width }) => {
          const isBy = sorting?.key === key;
          const turned = isBy ? !sorting.isDescending : isNumber === true;
          const order = isBy ? (sorting.isDescending ? 'descending' : 'ascending') : 'none';
          return (
            <th
              key={key}
              scope="col"
              class={isNumber ? 'number' : ''}
              style={width ? { width } : {}}
              {...(sortBy && { 'aria-sort': order })}
            >
              {sortBy ? (
                <button type="button" class="plain" onClick={() => onSort({ key, isDescending: turned })}>
                  {title}
                  <span aria-hidden="true">{isBy ? (sorting.isDescending ? ' ↓' : ' ↑') : ''}</span>
                </button>
              ) : (
                title
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}
