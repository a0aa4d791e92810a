import type { ReactNode } from 'react';
import { useText } from '../text';
import { DangerButton } from './danger-button';
import type { Wish } from './wish';

interface DeleteProps {
  ask: string;
  also?: string | undefined;
  wish: Wish<null>;
}

/** Deletes what the page is about, after it asked. */
export function DeleteButton({ ask, also, wish }: DeleteProps): ReactNode {
  const { say } = useText();
  return (
    <DangerButton ask={ask} also={also} isBusy={wish.isBusy} onDo={() => void wish.send(null)}>
      {say('delete')}
    </DangerButton>
  );
}
