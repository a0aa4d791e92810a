import { Button } from '@mantine/core';
import type { ReactNode } from 'react';

/** For what is final: it looks like that, and asks before it does it. */
export function DangerButton({
  ask,
  onDo,
  isBusy,
  children,
}: {
  ask: string;
  onDo: () => void;
  isBusy: boolean;
  children: ReactNode;
}): ReactNode {
  return (
    <Button
      variant="default"
      className="danger"
      loading={isBusy}
      onClick={() => {
        if (confirm(ask)) onDo();
      }}
    >
      {children}
    </Button>
  );
}
