import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { DecimalField } from '../../parts/decimal-field';
import { choicesOf, withStored } from '../../parts/stored-choice';
import { currencyChoices, type Effect, type Named, type Names } from '../../rule/body';
import { readAmount, writeAmount } from '../../rule/formula';
import { FormulaField } from './formula-field';

interface EffectFieldsProps {
  effect: Effect;
  names: Names;
  onChange: (effect: Effect) => void;
  /** What is wrong with a member of it. */
  troubleAt: (member: string) => string | undefined;
}

/** The form of one effect. */
export function EffectFields({ effect, names, onChange, troubleAt }: EffectFieldsProps): ReactNode {
  const { language } = useConsole();
  const { say } = language;
  const pick = (list: readonly Named[], stored: string | undefined) =>
    withStored(say, choicesOf(list), stored);
  switch (effect.type) {
    case 'earn_points':
      return <EarnFields effect={effect} names={names} onChange={onChange} troubleAt={troubleAt} />;
    case 'deduct_points':
      return (
        <div className="row row-end">
          <DecimalField
            label={say('statement.amount')}
            value={effect.amount}
            error={troubleAt('amount')}
            onChange={(amount) => onChange({ ...effect, amount: amount ?? 0 })}
          />
          <Currency
            names={names}
            value={effect.wallet_type_code}
            error={troubleAt('wallet_type_code')}
            onChange={(wallet_type_code) => onChange({ ...effect, wallet_type_code })}
          />
        </div>
      );
    case 'give_reward':
      return (
        <NativeSelect
          label={say('redemption.reward')}
          value={effect.reward_id}
          error={troubleAt('reward_id')}
          onChange={(event) => onChange({ ...effect, reward_id: event.currentTarget.value })}
          data={pick(names.rewards, effect.reward_id)}
        />
      );
    case 'send_push':
      return (
        <>
          <TextInput
            label={say('then.title')}
            value={effect.title ?? ''}
            error={troubleAt('title')}
            onChange={(event) => onChange({ ...effect, title: event.currentTarget.value || null })}
          />
          <Textarea
            label={say('then.text')}
            description={say('then.text.hint', { count: effect.body.length })}
            rows={2}
            value={effect.body}
            error={troubleAt('body')}
            onChange={(event) => onChange({ ...effect, body: event.currentTarget.value })}
          />
        </>
      );
    case 'assign_tier':
      return (
        <div className="row row-end">
          <NativeSelect
            label={say('customer.tier')}
            value={effect.tier_id}
            error={troubleAt('tier_id')}
            onChange={(event) => onChange({ ...effect, tier_id: event.currentTarget.value })}
            data={pick(names.tiers, effect.tier_id)}
          />
          <Days
            value={effect.duration_days}
            error={troubleAt('duration_days')}
            onChange={(duration_days) => onChange({ ...effect, duration_days })}
          />
        </div>
      );
    case 'remove_tier':
      return (
        <NativeSelect
          label={say('customer.tier')}
          value={effect.tier_id ?? ''}
          error={troubleAt('tier_id')}
          onChange={({ currentTarget: { value } }) =>
            onChange({ type: effect.type, ...(value === '' ? {} : { tier_id: value }) })
          }
          data={[{ value: '', label: say('then.anyTier') }, ...pick(names.tiers, effect.tier_id)]}
        />
      );
    case 'update_client_field':
      return (
        <>
          <NativeSelect
            label={say('then.fieldName')}
            value={effect.field_name}
            error={troubleAt('field_name')}
            onChange={(event) => onChange({ ...effect, field_name: event.currentTarget.value })}
            data={pick(names.fields, effect.field_name)}
          />
          <TextInput
            label={say('formula')}
            value={effect.value_expression}
            error={troubleAt('value_expression')}
            onChange={(event) =>
              onChange({ ...effect, value_expression: event.currentTarget.value })
            }
          />
        </>
      );
    case 'switch_template':
      return (
        <div className="row row-end">
          <NativeSelect
            label={say('nav.cards')}
            value={effect.template_id}
            error={troubleAt('template_id')}
            onChange={(event) => onChange({ ...effect, template_id: event.currentTarget.value })}
            data={pick(names.cards, effect.template_id)}
          />
          <Days
            value={effect.duration_days}
            error={troubleAt('duration_days')}
            onChange={(duration_days) => onChange({ ...effect, duration_days })}
          />
        </div>
      );
    case 'call_webhook':
      return (
        <NativeSelect
          label={say('then.kind.call_webhook')}
          value={effect.webhook_id}
          error={troubleAt('webhook_id')}
          onChange={(event) => onChange({ ...effect, webhook_id: event.currentTarget.value })}
          data={pick(names.webhooks, effect.webhook_id)}
        />
      );
  }
}

type Earn = Extract<Effect, { type: 'earn_points' }>;
type Kind = 'fixed' | 'perMoney' | 'formula';

function EarnFields({
  effect,
  names,
  onChange,
  troubleAt,
}: EffectFieldsProps & { effect: Earn }): ReactNode {
  const { language, format } = useConsole();
  const { say } = language;
  const pill =
    effect.amount_type === 'expression' ? readAmount(effect.amount_expression ?? '') : null;
  const kind: Kind = pill?.kind ?? 'fixed';
  const { wallet_type_code } = effect;
  const base = { type: 'earn_points' as const, wallet_type_code };
  const fixed = (amount: number): Earn => ({ ...base, amount_type: 'fixed', amount });
  const written = (amount_expression: string): Earn => ({
    ...base,
    amount_type: 'expression',
    amount_expression,
  });
  const choose = (next: Kind) => {
    if (next === 'fixed') onChange(fixed(10));
    else if (next === 'perMoney') onChange(written(writeAmount({ kind: 'perMoney', factor: 1 })));
    else onChange(written(pill ? writeAmount(pill) : 'floor(event.amount)'));
  };
  return (
    <>
      <div className="row row-end">
        {kind !== 'formula' && (
          <DecimalField
            label={say('statement.amount')}
            value={pill?.kind === 'perMoney' ? pill.factor : (effect.amount ?? 0)}
            error={troubleAt(kind === 'fixed' ? 'amount' : 'amount_expression')}
            onChange={(value) =>
              onChange(
                kind === 'fixed'
                  ? fixed(value ?? 0)
                  : written(writeAmount({ kind: 'perMoney', factor: value ?? 0 })),
              )
            }
          />
        )}
        <Currency
          names={names}
          value={wallet_type_code}
          error={troubleAt('wallet_type_code')}
          onChange={(code) => onChange({ ...effect, wallet_type_code: code })}
        />
        <NativeSelect
          label={say('then.how')}
          value={kind}
          onChange={(event) => choose(event.currentTarget.value as Kind)}
          data={(['fixed', 'perMoney', 'formula'] as const).map((value) => ({
            value,
            label: say(`then.how.${value}`, { money: format.money(1) }),
          }))}
        />
      </div>
      {pill?.kind === 'formula' && (
        <FormulaField
          label={say('formula')}
          value={pill.text}
          error={troubleAt('amount_expression')}
          expects="number"
          onChange={(text) => onChange(written(text))}
        />
      )}
    </>
  );
}

/** For how long something is given; for good unless it is said. */
function Days({
  value,
  error,
  onChange,
}: {
  value: number | null | undefined;
  error: string | undefined;
  onChange: (days: number | null) => void;
}): ReactNode {
  const { say } = useConsole().language;
  return (
    <DecimalField
      label={say('then.days')}
      placeholder={say('then.always')}
      value={value ?? null}
      error={error}
      onChange={onChange}
    />
  );
}

function Currency({
  names,
  value,
  error,
  onChange,
}: {
  names: Names;
  value: string;
  error: string | undefined;
  onChange: (code: string) => void;
}): ReactNode {
  const { say } = useConsole().language;
  return (
    <NativeSelect
      label={say('overview.currency')}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={withStored(say, currencyChoices(names), value)}
    />
  );
}
