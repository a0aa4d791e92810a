import type { ReactNode } from 'react';

/** A state in one word. */
export const Badge = ({
  kind = 'plain',
  children,
}: {
  kind?: 'plain' | 'good' | 'bad' | 'warn';
  children: ReactNode;
}): ReactNode => <span className={`badge badge-${kind}`}>{children}</span>;
