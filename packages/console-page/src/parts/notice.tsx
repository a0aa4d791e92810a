import type { ReactNode } from 'react';

/** Something to know. What is bad is read out at once. */
export function Notice({
  kind = 'plain',
  children,
}: {
  kind?: 'plain' | 'good' | 'bad' | 'warn';
  children: ReactNode;
}): ReactNode {
  return (
    <div className={`notice notice-${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}
