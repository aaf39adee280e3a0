import type { Column, Sorting } from './column.ts';

interface TableHeadProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly sorting: Sorting | undefined;
  readonly onSort: (sorting: Sorting) => void;
}

/** The titles; a click sorts by that column, a second one the other way round. */
export function TableHead<Row>({ columns, sorting, onSort }: TableHeadProps<Row>) {
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
