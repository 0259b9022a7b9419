import { type ReactElement, type ReactNode, useState } from 'react';

// A plain table: sorting is all that it has to do, and the browser gives rows and headers their meaning. A library for
// tables would bring virtual rows, which screen readers cannot count.

export interface Column<Row> {
  readonly title: string;
  /** What rows are sorted by; without it the column cannot be. */
  readonly by?: (row: Row) => number | string;
  readonly cell: (row: Row) => ReactNode;
  readonly isNumber?: boolean;
}

interface SortedTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

/** A table that is sorted by the column that somebody picks. The first column names the row. */
export const SortedTable = <Row,>({ caption, columns, rows, keyOf }: SortedTableProps<Row>): ReactElement => {
  const [sorting, setSorting] = useState<{ readonly column: number; readonly isUp: boolean }>();
  const by = sorting && columns[sorting.column]?.by;
  const direction = sorting?.isUp === false ? -1 : 1;
  const sorted =
    by === undefined
      ? rows
      : [...rows].sort((a, b) => {
          const [x, y] = [by(a), by(b)];
          return (
            direction * (typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y)))
          );
        });
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={caption}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, by: key, isNumber }, i) => (
              <th
                key={title}
                scope="col"
                className={isNumber === true ? 'number' : undefined}
                aria-sort={sorting?.column === i ? (sorting.isUp ? 'ascending' : 'descending') : undefined}
              >
                {key === undefined ? (
                  title
                ) : (
                  <button
                    type="button"
                    className="sort"
                    // The first click on a number shows the largest.
                    onClick={() =>
                      setSorting({ column: i, isUp: sorting?.column === i ? !sorting.isUp : isNumber !== true })
                    }
                  >
                    {title}
                    <span aria-hidden="true">{sorting?.column === i ? (sorting.isUp ? ' ▲' : ' ▼') : ''}</span>
                  </button>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, cell, isNumber }, i) =>
                i === 0 ? (
                  <th key={title} scope="row">
                    {cell(row)}
                  </th>
                ) : (
                  <td key={title} className={isNumber === true ? 'number' : undefined}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
