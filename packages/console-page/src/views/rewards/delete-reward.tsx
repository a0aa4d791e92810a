import { isLaurelError } from '@laurel/client';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useChange } from '../../parts/change';
import { DeleteButton } from '../../parts/delete-button';
import { useGo } from '../../parts/go';
import { Notice } from '../../parts/notice';
import { Refused } from '../../parts/refused';

/** Deletes a reward that nobody took yet; of any other it says what can be done instead. */
export function DeleteReward({ id, name }: { id: string; name: string }): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const go = useGo();
  const { refused, ...remove } = useChange(
    (_: null, options) => laurel.rewards.delete(id, options),
    { forgets: ['rewards'], onDone: () => go('/rewards') },
  );
  return (
    <div className="stack">
      {isRedeemed(refused) ? (
        <Notice kind="bad">{say('reward.delete.redeemed')}</Notice>
      ) : (
        <Refused error={refused} />
      )}
      <DeleteButton ask={say('reward.delete.ask', { name })} wish={{ ...remove, refused }} />
    </div>
  );
}

/** The platform has no reason of its own for it, only a sentence. */
const isRedeemed = (error: unknown): boolean =>
  isLaurelError(error) && error.status === 409 && /has been redeemed/.test(error.message);
