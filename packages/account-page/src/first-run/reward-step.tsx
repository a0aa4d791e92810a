import { Button, Field, Notice, NumberField, numberOf, useForm } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { usePage } from '../context';
import { sayRefused, sayTrouble } from '../refusals';
import type { Reward } from '../shop';
import type { StepProps } from './step-props';

/** The first thing that points can be spent on. It may wait. */
export function RewardStep({
  api,
  shop,
  standing,
  onDone,
  onSkip,
}: StepProps & { onSkip: () => void }): VNode {
  const { language } = usePage();
  const { say } = language;
  const currency = standing.currency!;
  const made = useRef(standing.reward);
  const { isBusy, refused, submit } = useForm(async ({ name, cost = '' }) => {
    const body = { name, cost_in_points: numberOf(cost) };
    made.current = made.current
      ? await api.write(shop, { method: 'PATCH', path: `/rewards/${made.current.id}`, body })
      : await api.make<Reward>(shop, '/rewards', {
          ...body,
          wallet_type_id: currency.id,
          purchasable: true,
        });
    await onDone();
  });
  return (
    <form onSubmit={submit}>
      <p>{say('reward.text')}</p>
      <Field
        label={say('reward.name')}
        name="name"
        required
        maxLength={255}
        defaultValue={standing.reward?.name}
        placeholder={say('reward.name.example')}
        trouble={sayTrouble(language, refused, 'name')}
      />
      <NumberField
        label={say('reward.cost', { units: currency.unit_plural_name ?? currency.name })}
        name="cost"
        form="whole"
        wrong={say('number.wrong.whole')}
        required
        defaultValue={String(standing.reward?.cost_in_points ?? 100)}
        trouble={sayTrouble(language, refused, 'cost_in_points')}
      />
      {refused !== null && <Notice kind="bad">{sayRefused(language, refused)}</Notice>}
      <div class="row">
        <Button isBusy={isBusy}>{say('continue')}</Button>
        {!standing.reward && (
          <Button type="button" kind="link" onClick={onSkip}>
            {say('later')}
          </Button>
        )}
      </div>
    </form>
  );
}
