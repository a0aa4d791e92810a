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
 * what this browser remembers: it may be closed at any point.
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
  const api = useMemo(() => createShopApi(session), [session]);
  const step = stepOf(shop, standing, isRewardSkipped);
  const props = { api, shop: shop!, standing: standing!, onDone: () => onChange(shop!) };
  return (
    <section class="card stack">
      <ol class="steps">
        {STEPS.map((name, index) => (
          <li
            key={name}
            class={index < STEPS.indexOf(step) ? 'done' : ''}
            aria-current={name === step ? 'step' : undefined}
          >
            {say(`step.${name}`)}
          </li>
        ))}
      </ol>
      <Heading key={step} text={say(`step.${step}.title`)} takesFocus={step !== 'shop'} />
      {step === 'shop' && <ShopStep api={api} onDone={onChange} />}
      {step === 'currency' && <CurrencyStep {...props} />}
      {step === 'reward' && <RewardStep {...props} onSkip={() => skipReward(true)} />}
      {step === 'card' && <CardStep {...props} />}
    </section>
  );
}

function stepOf(shop: Shop | null, standing: Standing | null, isRewardSkipped: boolean): Step {
  if (!shop || !standing) return 'shop';
  if (!standing.currency || !standing.hasRule) return 'currency';
  if (!standing.hasReward && !isRewardSkipped) return 'reward';
  return 'card';
}
