import type { ReactNode } from 'react';
import { useText } from '../text';
import { DangerButton } from './danger-button';
import type { Wish } from './wish';

/** Deletes what the page is about, after it asked. */
export function DeleteButton({ ask, wish }: { ask: string; wish: Wish<null> }): ReactNode {
  const { say } = useText();
  return (
    <DangerButton ask={ask} isBusy={wish.isBusy} onDo={() => void wish.send(null)}>
      {say('delete')}
    </DangerButton>
  );
}
