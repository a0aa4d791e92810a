import type { ReactNode } from 'react';
import { Go } from './go';

export interface Column<Row> {
  title: string;
  /** What stands in the cell. */
  cell: (row: Row) => ReactNode;
  isNumber?: boolean;
  /** Left out where there is little room. */
  isExtra?: boolean;
  /** Stands below the row's first cell where there is little room. */
  isBelow?: boolean;
  /** What can be done with a row: named for those who listen. */
  isActions?: boolean;
}

export interface TableProps<Row> {
  /** What the table is of, read out before it. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Where a row leads; its first cell is the link. */
  linkOf?: (row: Row) => string;
  isOld?: boolean;
}

/** Rows of one kind. What does not fit is scrolled within the table, by keyboard too. */
export function Table<Row>({
  label,
  columns,
  rows,
  keyOf,
  linkOf,
  isOld = false,
}: TableProps<Row>): ReactNode {
  const classOf = ({ isNumber, isExtra, isBelow, isActions }: Column<Row>) =>
    [isNumber && 'number', (isExtra || isBelow) && 'extra', isActions && 'acts']
      .filter(Boolean)
      .join(' ') || undefined;
  const main = columns.find(({ isExtra, isBelow }) => !isExtra && !isBelow);
  const below = columns.filter(({ isBelow }) => isBelow);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="table-room" tabIndex={0} aria-label={label} aria-busy={isOld}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" className={classOf(column)}>
                {column.isActions ? (
                  <span className="visually-hidden">{column.title}</span>
                ) : (
                  column.title
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className={linkOf ? 'has-link' : undefined}>
              {columns.map((column) => (
                <td key={column.title} className={classOf(column)}>
                  {column === main && linkOf ? (
                    <Go to={linkOf(row)} className="row-link">
                      {column.cell(row)}
                    </Go>
                  ) : (
                    column.cell(row)
                  )}
                  {column === main &&
                    below.map(({ title, cell }) => (
                      <small key={title} className="below">
                        {cell(row)}
                      </small>
                    ))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
