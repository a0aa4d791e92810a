import type { Call, Reward, RewardsCreateBody } from '@laurel/client';
import { Switch, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { useChange } from '../../parts/change';
import { useDraft } from '../../parts/draft';
import { useGo } from '../../parts/go';
import { Panel } from '../../parts/page';
import { Picture } from '../../parts/picture';
import { PictureField } from '../../parts/picture-field';
import { SaveBar } from '../../parts/save-bar';
import { troubleOf } from '../../refusals';
import { Audience } from './audience';
import { AUDIENCE_FIELDS } from './audience-fields';
import { CostFields } from './cost-fields';
import { DeleteReward } from './delete-reward';
import { RewardLimits } from './reward-limits';
import { RewardPrice } from './reward-price';

const FIELDS = [
  'name',
  'description',
  'cost_in_points',
  'monetary_value',
  'usage_limit',
  'usage_limit_per_client',
  'availability_start',
  'availability_end',
  'code_pattern',
  'image',
  ...AUDIENCE_FIELDS,
];

/** A reward as it is written down; its preview follows each key. */
export function RewardForm({ id, first }: { id?: string; first: RewardsCreateBody }): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const go = useGo();
  const types = useAsk(['wallet-types'], () => laurel.walletTypes.list());
  const { draft, isDirty, set, drop, settle } = useDraft<RewardsCreateBody>();
  const whole = { ...first, ...draft };
  // An example to start from is worth saving as it is, once.
  const [isExample, setExample] = useState(id === undefined && first.name !== '');
  const wish = useChange(
    (body: Partial<RewardsCreateBody>, options): Call<Reward> =>
      id
        ? laurel.rewards.update(id, body, options)
        : laurel.rewards.create({ ...first, ...body }, options),
    {
      forgets: ['rewards', 'names', 'overview'],
      says: () => say('reward.saved'),
      settles: settle,
      onDone(saved) {
        setExample(false);
        if (!id) setTimeout(() => go(`/rewards/${saved.id}`));
      },
    },
  );
  const trouble = (field: string) => troubleOf(wish.refused, field);
  const isNew = id === undefined;
  // Nothing to choose, unless it is the one that a reward lacks so far.
  const choosesCurrency = (types.data?.length ?? 0) > (isNew || first.wallet_type_id ? 1 : 0);
  return (
    <form className="stack" onSubmit={(event) => event.preventDefault()}>
      <div className="with-aside">
        <div className="stack">
          <Panel>
            <TextInput
              label={say('reward.name')}
              required
              value={whole.name}
              error={trouble('name')}
              onChange={(event) => set({ name: event.currentTarget.value })}
            />
            <CostFields
              reward={whole}
              types={types.data}
              choice={choosesCurrency ? { isNoneOffered: !first.wallet_type_id } : null}
              trouble={trouble}
              onChange={set}
            />
            <Textarea
              label={say('reward.description')}
              rows={3}
              value={whole.description ?? ''}
              error={trouble('description')}
              onChange={(event) => set({ description: event.currentTarget.value || null })}
            />
            <PictureField
              label={say('reward.image')}
              purpose="reward"
              value={whole.image ?? null}
              error={trouble('image')}
              onChange={(image) => set({ image })}
            />
            <Switch
              label={say('reward.active')}
              checked={whole.active ?? true}
              onChange={(event) => set({ active: event.currentTarget.checked })}
            />
            <Switch
              label={say('reward.purchasable')}
              {...(whole.wallet_type_id
                ? { checked: whole.purchasable ?? true }
                : {
                    checked: false,
                    disabled: true,
                    description: say('reward.purchasable.unpaid'),
                  })}
              onChange={(event) => set({ purchasable: event.currentTarget.checked })}
            />
          </Panel>
          <RewardLimits reward={whole} trouble={trouble} onChange={set} />
        </div>
        <aside aria-label={say('reward.preview')}>
          <Panel title={say('reward.preview')}>
            <div className="tile">
              <Picture source={whole.image} size="width=480" />
              <h3>{whole.name || '…'}</h3>
              <p>{whole.description}</p>
              <RewardPrice reward={whole} types={types.data} />
              <Audience reward={whole} />
            </div>
          </Panel>
          {id && <DeleteReward id={id} name={first.name} />}
        </aside>
      </div>
      <SaveBar
        isDirty={isDirty || isExample}
        wish={wish}
        fields={choosesCurrency ? [...FIELDS, 'wallet_type_id'] : FIELDS}
        onSave={() => void wish.send(draft)}
        {...(isNew ? {} : { onReset: drop })}
      />
    </form>
  );
}
