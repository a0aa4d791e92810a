import type { Page } from '@laurel/client';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useText } from '../text';
import { Loaded } from './loaded';
import type { Paging } from './paging';
import { Table, type TableProps } from './table';

interface PagedTableProps<Row> extends Omit<TableProps<Row>, 'rows' | 'isOld'> {
  query: UseQueryResult<Page<Row>>;
  paging: Pick<Paging, 'back' | 'nextOf'>;
  /** Stands there instead of a table without rows. */
  empty?: ReactNode;
  /** How tall it will be, about. */
  lines?: number;
}

/** A list that comes page by page: loading, empty, or its rows and the way on. */
export function PagedTable<Row>({
  query,
  paging,
  empty,
  lines = 8,
  ...table
}: PagedTableProps<Row>): ReactNode {
  return (
    <Loaded query={query} lines={lines}>
      {(page) =>
        page.data.length === 0 && empty && !paging.back ? (
          empty
        ) : (
          <>
            <Table {...table} rows={page.data} isOld={query.isPlaceholderData} />
            <Pager page={page} paging={paging} />
          </>
        )
      }
    </Loaded>
  );
}

interface PagerProps {
  page: Page<unknown>;
  paging: Pick<Paging, 'back' | 'nextOf'>;
}

/** On to the rows that follow, and back. */
export function Pager({ page, paging }: PagerProps): ReactNode {
  const { say } = useText();
  const shown = page.data.length;
  const total = page.meta?.total ?? page.meta?.total_count;
  const [onBack, onNext] = [paging.back, paging.nextOf(page)];
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
