import type { ReactNode } from 'react';
import { useText } from '../text';
import { Go } from './go';

export interface Column<Row> {
  title: string;
  /** What stands in the cell. */
  cell: (row: Row) => ReactNode;
  isNumber?: boolean;
  /** Left out where there is little room. */
  isExtra?: boolean;
  /** What can be done with a row: named for those who listen. */
  isActions?: boolean;
}

interface TableProps<Row> {
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
  const classOf = ({ isNumber, isExtra }: Column<Row>) =>
    [isNumber && 'number', isExtra && 'extra'].filter(Boolean).join(' ') || undefined;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="table-room" tabIndex={0} aria-label={label} aria-busy={isOld}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" className={classOf(column)}>
                {column.isActions ? <span className="hidden">{column.title}</span> : column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className={linkOf ? 'has-link' : undefined}>
              {columns.map((column, at) => (
                <td key={column.title} className={classOf(column)}>
                  {at === 0 && linkOf ? (
                    <Go to={linkOf(row)} className="row-link">
                      {column.cell(row)}
                    </Go>
                  ) : (
                    column.cell(row)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** On to the rows that follow, and back. */
export function Pager({
  shown,
  total,
  onBack,
  onNext,
}: {
  shown: number;
  total?: number | undefined;
  onBack?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
}): ReactNode {
  const { say } = useText();
  return (
    <div className="pager">
      <span>
        {total === undefined
          ? say('rows', { count: shown })
          : say('rows.of', { count: shown, total })}
      </span>
      {(onBack || onNext) && (
        <span className="row">
          <button type="button" className="quiet-button" disabled={!onBack} onClick={onBack}>
            {say('back')}
          </button>
          <button type="button" className="quiet-button" disabled={!onNext} onClick={onNext}>
            {say('next')}
          </button>
        </span>
      )}
    </div>
  );
}
