import type { WalletType } from '@laurel/client';
import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { DecimalField } from '../../parts/decimal-field';
import { Notice } from '../../parts/notice';
import { choicesOf, withStored } from '../../parts/stored-choice';
import type { RewardFields } from './audience-fields';
import { payerOf } from './payer-of';

/** What a reward costs and in which currency; of one that has none, what that means. */
export function CostFields({
  reward,
  types,
  choice,
  trouble,
  onChange,
}: RewardFields & {
  types: readonly WalletType[] | undefined;
  /** Null where there is no currency to choose. */
  choice: { isNoneOffered: boolean } | null;
}): ReactNode {
  const { say } = useConsole().language;
  const type = payerOf(reward, types);
  const { wallet_type_id: chosen } = reward;
  return (
    <>
      <div className="row row-end">
        <div className="grow">
          <DecimalField
            label={say('reward.cost')}
            unit={type?.unit_plural_name ?? type?.name}
            required
            value={reward.cost_in_points}
            error={trouble('cost_in_points')}
            onChange={(value) => onChange({ cost_in_points: value ?? 0 })}
          />
        </div>
        {choice && (
          <NativeSelect
            label={say('reward.currency')}
            value={chosen ?? ''}
            error={trouble('wallet_type_id')}
            onChange={(event) => {
              const wallet_type_id = event.currentTarget.value || null;
              onChange(({ purchasable = true }) => ({
                wallet_type_id,
                // Of a reward without a currency it is read as false, whatever was wanted: saved is what the form shows.
                ...(choice.isNoneOffered && wallet_type_id ? { purchasable } : {}),
              }));
            }}
            data={[
              // Without one nothing is paid, which is not what the first of them says.
              ...(choice.isNoneOffered ? [{ value: '', label: say('none') }] : []),
              ...withStored(say, types && choicesOf(types), chosen),
            ]}
          />
        )}
      </div>
      {!chosen && <Notice kind="warn">{say('reward.unpaid')}</Notice>}
    </>
  );
}
