import type { TierSet } from '@laurel/client';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { Panel } from '../../parts/page';
import { choiceOf, nameCondition } from './conditions';
import { LadderSheet } from './ladder-sheet';

/** What counts for all tiers, and for how long. */
export function Ladder({ set }: { set: TierSet }): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const currencies = useAsk(['wallet-types'], () => laurel.walletTypes.list());
  const [isOpen, setOpen] = useState(false);
  const days = set.downgrade_config.lookback_days;
  return (
    <Panel
      title={say('tiers.counted')}
      aside={
        <Button
          variant="default"
          size="xs"
          aria-label={`${say('edit')}: ${say('tiers.counted')}`}
          onClick={() => setOpen(true)}
        >
          {say('edit')}
        </Button>
      }
    >
      {set.conditions.length === 0 ? (
        <p>{say('tiers.counted.nothing')}</p>
      ) : (
        <ul className="plain-list">
          {set.conditions.map((one) => (
            <li key={choiceOf(one)}>{nameCondition(say, one, currencies.data ?? [])}</li>
          ))}
        </ul>
      )}
      <p className="hint">{days ? say('tiers.stays', { count: days }) : say('tiers.stays.ever')}</p>
      {!set.active && <p className="hint">{say('tiers.off')}</p>}
      {isOpen && <LadderSheet onClose={() => setOpen(false)} />}
    </Panel>
  );
}
