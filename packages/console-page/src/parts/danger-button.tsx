import { Button } from '@mantine/core';
import type { ReactNode } from 'react';

/** For what is final: it looks like that, and asks before it does it. */
export function DangerButton({
  ask,
  also = '',
  onDo,
  isBusy,
  children,
}: {
  ask: string;
  /** What else comes of it: said beside the button and with the question. */
  also?: string | undefined;
  onDo: () => void;
  isBusy: boolean;
  children: ReactNode;
}): ReactNode {
  return (
    <>
      {also && <p className="hint">{also}</p>}
      <Button
        variant="default"
        className="danger"
        loading={isBusy}
        onClick={() => {
          if (confirm([ask, also].filter(Boolean).join(' '))) onDo();
        }}
      >
        {children}
      </Button>
    </>
  );
}
