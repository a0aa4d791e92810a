import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { requestIdOf, sayRefused } from '../refusals';
import { useText } from '../text';
import { Notice } from './notice';

/** A part of a page that loads and fails by itself. */
export function Loaded<T>({
  query,
  lines = 4,
  children,
}: {
  query: UseQueryResult<T>;
  /** How tall it will be, about. */
  lines?: number;
  children: (found: T) => ReactNode;
}): ReactNode {
  const { say, time } = useText();
  const again = () => void query.refetch();
  if (query.data !== undefined)
    return (
      <>
        {query.isError && (
          <Notice kind="warn">
            {say('stale', { time: time(new Date(query.dataUpdatedAt)) })}{' '}
            <button type="button" className="text-button" onClick={again}>
              {say('retry')}
            </button>
          </Notice>
        )}
        {children(query.data)}
      </>
    );
  if (query.isError) return <Trouble error={query.error} onRetry={again} />;
  return <Loading lines={lines} />;
}

export function Loading({ lines }: { lines: number }): ReactNode {
  const { say } = useText();
  return (
    <div className="skeleton" aria-busy="true" role="status" aria-label={say('loading')}>
      {Array.from({ length: lines }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: grey lines are all the same
        <div key={at} />
      ))}
    </div>
  );
}

/** What went wrong, with what to tell those who look into it. */
export function Trouble({ error, onRetry }: { error: unknown; onRetry?: () => void }): ReactNode {
  const { say } = useText();
  const id = requestIdOf(error);
  return (
    <Notice kind="bad">
      {sayRefused(say, error)}{' '}
      {onRetry && (
        <button type="button" className="text-button" onClick={onRetry}>
          {say('retry')}
        </button>
      )}
      {id && <small className="request-id">{say('requestId', { id })}</small>}
    </Notice>
  );
}
