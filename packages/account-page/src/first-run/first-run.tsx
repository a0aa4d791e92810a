import { Button } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { usePage } from '../context';
import { Heading } from '../heading';
import { createShopApi, type Shop, type Standing } from '../shop';
import { CardStep } from './card-step';
import { CurrencyStep } from './currency-step';
import { RewardStep } from './reward-step';
import { ShopStep } from './shop-step';

const STEPS = ['shop', 'currency', 'reward', 'card'] as const;
type Step = (typeof STEPS)[number];

/**
 * From nothing to a poster by the door, in four short forms. Where it goes on is read from what is there, not from
 * what this browser remembers: it may be closed at any point. An earlier one can be looked at and put right.
 */
export function FirstRun({
  shop,
  standing,
  onChange,
}: {
  shop: Shop | null;
  standing: Standing | null;
  onChange: (shop?: Shop) => Promise<void>;
}): VNode {
  const { language, session } = usePage();
  const { say } = language;
  const [isRewardSkipped, skipReward] = useState(false);
  const [returned, returnTo] = useState<Step | null>(null);
  const api = useMemo(() => createShopApi(session), [session]);
  const furthest = stepOf(shop, standing, isRewardSkipped);
  const step = returned ?? furthest;
  const reached = STEPS.slice(0, STEPS.indexOf(furthest) + 1);
  const before = STEPS[STEPS.indexOf(step) - 1];
  const goOn = async (made = shop!) => {
    await onChange(made);
    returnTo(null);
  };
  const skip = () => {
    skipReward(true);
    returnTo(null);
  };
  const forms: Record<Step, () => VNode> = {
    shop: () => <ShopStep api={api} shop={shop} standing={standing} onDone={goOn} />,
    currency: () => <CurrencyStep {...props} />,
    reward: () => <RewardStep {...props} onSkip={skip} />,
    card: () => <CardStep {...props} />,
  };
  const props = { api, shop: shop!, standing: standing!, onDone: () => goOn() };
  return (
    <section class="card stack">
      <ol class="steps">
        {STEPS.map((name, index) => (
          <li
            key={name}
            class={index < STEPS.indexOf(furthest) ? 'done' : ''}
            aria-current={name === step ? 'step' : undefined}
          >
            {say(`step.${name}`)}
          </li>
        ))}
      </ol>
      <Heading key={step} text={say(`step.${step}.title`)} takesFocus={step !== 'shop'} />
      {/* What was typed in a step stays in it, whichever is shown. */}
      {reached.map((name) => (
        <div key={name} hidden={name !== step}>
          {forms[name]()}
        </div>
      ))}
      {before && (
        <p>
          <Button type="button" kind="link" onClick={() => returnTo(before)}>
            {say('stepBack', { step: say(`step.${before}`) })}
          </Button>
        </p>
      )}
    </section>
  );
}

function stepOf(shop: Shop | null, standing: Standing | null, isRewardSkipped: boolean): Step {
  if (!shop || !standing) return 'shop';
  if (!standing.currency || !standing.rule) return 'currency';
  if (!standing.reward && !isRewardSkipped) return 'reward';
  return 'card';
}
