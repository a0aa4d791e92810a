import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useChange } from '../../parts/change';
import { DeleteButton } from '../../parts/delete-button';
import { useGo } from '../../parts/go';
import { Refused } from '../../parts/refused';
import { useRulesOff } from '../../rule/use-rules-off';

/** Deletes a reward that no customer took yet; any other is refused, with what can be done instead. */
export function DeleteReward({ id, name }: { id: string; name: string }): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const go = useGo({ ignoreBlocker: true });
  const rulesOff = useRulesOff(id);
  const { refused, ...remove } = useChange(
    (_: null, options) => laurel.rewards.delete(id, options),
    { forgets: ['rewards', 'names', 'overview'], onDone: () => go('/rewards') },
  );
  return (
    <div className="stack">
      <Refused error={refused} />
      <DeleteButton
        ask={say('reward.delete.ask', { name })}
        also={rulesOff}
        wish={{ ...remove, refused }}
      />
    </div>
  );
}
