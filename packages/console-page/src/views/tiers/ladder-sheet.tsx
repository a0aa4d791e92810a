import type { TierSet, TiersPreviewResult, TiersUpdateSetBody } from '@laurel/client';
import { Button, Checkbox, Switch } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { useChange } from '../../parts/change';
import { DecimalField } from '../../parts/decimal-field';
import { useDraft } from '../../parts/draft';
import { Editing, readSeen, type Seen, useHold } from '../../parts/editing';
import { Loaded } from '../../parts/loaded';
import { Managed } from '../../parts/managed';
import { holdsNoNumber } from '../../parts/no-number';
import { Notice } from '../../parts/notice';
import { Refused } from '../../parts/refused';
import { Sheet } from '../../parts/sheet';
import { useWish } from '../../parts/wish';
import { troubleOf } from '../../refusals';
import { choiceOf, conditionOf, nameCondition, offeredConditions } from './conditions';
import { Moves } from './moves';

/** What counts for the tiers, and who would move before it is saved. */
export function LadderSheet({ onClose }: { onClose: () => void }): ReactNode {
  const { laurel, language } = useConsole();
  const known = useAsk(['tiers', 'ladder'], () => readSeen(laurel.tiers.getSet()));
  return (
    <Sheet title={language.say('tiers.counted')} onClose={onClose}>
      <Managed kind="tier_set" name="tiers" />
      <Loaded query={known}>
        {(found) =>
          found && (
            <Editing query={known as UseQueryResult<Seen<TierSet>>}>
              {(set) => <LadderFields set={set} onClose={onClose} />}
            </Editing>
          )
        }
      </Loaded>
    </Sheet>
  );
}

function LadderFields({ set: kept, onClose }: { set: TierSet; onClose: () => void }): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const { draft, isDirty, set } = useDraft<TiersUpdateSetBody>();
  useHold(isDirty);
  const [moved, setMoved] = useState<TiersPreviewResult | null>(null);
  const { active, conditions, downgrade_config } = { ...kept, ...draft };
  const change = (by: TiersUpdateSetBody) => {
    setMoved(null);
    set(by);
  };
  const look = useWish(() => laurel.tiers.preview({ conditions, downgrade_config }), setMoved);
  const save = useChange(
    (wanted: TiersUpdateSetBody, options) => laurel.tiers.updateSet(wanted, options),
    {
      forgets: ['tiers', 'tier', 'customers'],
      says: () => say('tiers.counted.saved'),
      onDone: onClose,
    },
  );
  const refused = save.refused ?? look.refused;
  const fields = useRef<HTMLDivElement>(null);
  const send = () => {
    if (!holdsNoNumber(fields.current)) void save.send(draft);
  };
  return (
    <div className="stack" ref={fields}>
      <Switch
        label={say('tiers.active')}
        description={say('tiers.off')}
        checked={active}
        onChange={(event) => change({ active: event.currentTarget.checked })}
      />
      <Counted
        conditions={conditions}
        error={troubleOf(refused, 'conditions')}
        onChange={(counted) => change({ conditions: counted })}
      />
      <DecimalField
        label={say('tiers.lookback')}
        description={say('tiers.lookback.hint')}
        value={downgrade_config.lookback_days || null}
        error={troubleOf(refused, 'downgrade_config.lookback_days')}
        onChange={(days) => change({ downgrade_config: { lookback_days: days ?? 0 } })}
      />
      <Refused error={refused} onAgain={send} />
      {moved && <Moves moved={moved} tiers={kept.tiers} />}
      <div className="row">
        <Button variant="default" loading={look.isBusy} onClick={() => void look.send(undefined)}>
          {say('tiers.preview')}
        </Button>
        <Button loading={save.isBusy} disabled={!isDirty} onClick={send}>
          {say('save')}
        </Button>
      </div>
    </div>
  );
}

type Conditions = TierSet['conditions'];

function Counted({
  conditions,
  error,
  onChange,
}: {
  conditions: Conditions;
  error: string | undefined;
  onChange: (conditions: Conditions) => void;
}): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const currencies = useAsk(['wallet-types'], () => laurel.walletTypes.list());
  const all = currencies.data ?? [];
  return (
    <>
      <Checkbox.Group
        label={say('tiers.counted.choose')}
        description={say('tiers.counted.hint')}
        value={conditions.map(choiceOf)}
        error={error}
        onChange={(values) => onChange(values.map(conditionOf))}
      >
        <div className="stack-small ticks">
          {offeredConditions(all, conditions).map((one) => (
            <Checkbox
              key={choiceOf(one)}
              value={choiceOf(one)}
              label={nameCondition(say, one, all)}
            />
          ))}
        </div>
      </Checkbox.Group>
      {conditions.length === 0 && <Notice kind="warn">{say('tiers.counted.nothing')}</Notice>}
    </>
  );
}
