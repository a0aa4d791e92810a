import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { troubleOf, troubleOfRow } from '../../refusals';
import { EFFECTS, type Effect, newEffect } from '../../rule/body';
import { type Telling, tellEffect } from '../../rule/sentence';
import { EffectFields } from './effect-fields';
import { Row } from './row';

interface EffectListProps {
  effects: readonly Effect[];
  onChange: (effects: Effect[]) => void;
  telling: Telling;
  refused: unknown;
}

/** What the form of an effect has a field for. */
const SHOWN = [
  'amount',
  'amount_expression',
  'wallet_type_code',
  'reward_id',
  'title',
  'body',
  'tier_id',
  'duration_days',
  'field_name',
  'value_expression',
  'template_id',
  'webhook_id',
];

/** What is done, in this order. */
export function EffectList({ effects, onChange, telling, refused }: EffectListProps): ReactNode {
  const { language } = useConsole();
  const { say } = language;
  const { names } = telling;
  const can: Partial<Record<Effect['type'], boolean>> = {
    earn_points: names.currencies.length > 0,
    deduct_points: names.currencies.length > 0,
    give_reward: names.rewards.length > 0,
    assign_tier: names.tiers.length > 0,
    remove_tier: names.tiers.length > 0,
    update_client_field: names.fields.length > 0,
    switch_template: names.cards.length > 0,
    call_webhook: names.webhooks.length > 0,
  };
  const swap = (at: number, other: number) => {
    const next = [...effects];
    [next[at], next[other]] = [next[other]!, next[at]!];
    onChange(next);
  };
  return (
    <>
      {effects.length === 0 && <p className="hint">{say('then.none')}</p>}
      {effects.map((effect, at) => {
        const trouble = troubleOfRow(refused, `effects.${at}`, SHOWN);
        return (
          <Row
            // biome-ignore lint/suspicious/noArrayIndexKey: effects have no id
            key={at}
            title={tellEffect(telling, effect)}
            error={trouble.rest}
            onUp={at > 0 ? () => swap(at, at - 1) : undefined}
            onDown={at < effects.length - 1 ? () => swap(at, at + 1) : undefined}
            onRemove={() => onChange(effects.filter((_, index) => index !== at))}
          >
            <EffectFields
              effect={effect}
              names={names}
              troubleAt={trouble.at}
              onChange={(next) =>
                onChange(effects.map((one, index) => (index === at ? next : one)))
              }
            />
          </Row>
        );
      })}
      <NativeSelect
        label={say('then.add')}
        value=""
        error={effects.length === 0 ? troubleOf(refused, 'effects') : undefined}
        onChange={(event) => {
          const type = event.currentTarget.value as Effect['type'];
          if (type) onChange([...effects, newEffect(type, names)]);
        }}
        data={[
          { value: '', label: say('choose') },
          ...EFFECTS.map((value) => ({
            value,
            label: say(`then.kind.${value}`),
            disabled: can[value] === false,
          })),
        ]}
      />
    </>
  );
}
