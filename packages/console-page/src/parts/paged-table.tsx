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
            <Pager
              shown={page.data.length}
              total={page.meta?.total ?? page.meta?.total_count}
              onBack={paging.back}
              onNext={paging.nextOf(page)}
            />
          </>
        )
      }
    </Loaded>
  );
}

/** On to the rows that follow, and back. */
function Pager({
  shown,
  total,
  onBack,
  onNext,
}: {
  shown: number;
  total: number | undefined;
  onBack: (() => void) | undefined;
  onNext: (() => void) | undefined;
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
