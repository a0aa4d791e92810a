import { BalanceCard } from '../components/balance-card.ts';
import { ReferralCard } from '../components/referral-card.ts';
import { RewardList } from '../components/reward-list.ts';
import { Section } from '../components/section.ts';
import type { RewardActions } from '../components/seen-reward.ts';
import { Stale } from '../components/stale.ts';
import { TierCard } from '../components/tier-card.ts';
import { usePortal } from '../portal-context.ts';
import type { Balance, Referral, TierProgress } from '../shapes.ts';
import type { Account } from '../use-account.ts';
import { html, type VNode } from '../vendor/preact.js';

/** Rewards that the first page shows; the rest have a page of their own. */
const REWARDS_SHOWN = 3;

export function Home({ account, actions }: { account: Account; actions: RewardActions }): VNode {
  const { config, language } = usePortal();
  const { say } = language;
  const name = account.person.value?.first_name;
  return html`<div class="stack">
    <h1 tabindex="-1">${name ? say('home.hello', { name }) : say('home.welcome')}</h1>
    <${Stale} of=${[account.balances, account.tier, account.rewards, account.referral]} />
    <${Section} of=${account.balances} show=${(balances: Balance[]) => html`<${BalanceCard} balances=${balances} />`} />
    ${
      config.show_tier &&
      html`<${Section} of=${account.tier} show=${(tier: TierProgress) => html`<${TierCard} ...${tier} balances=${account.balances.value ?? []} />`} />`
    }
    ${
      config.show_rewards &&
      html`<section aria-labelledby="home-rewards">
        <div class="section-head">
          <h2 id="home-rewards">${say('rewards.title')}</h2>
          <a href="#/rewards">${say('rewards.all')}</a>
        </div>
        <${RewardList} account=${account} limit=${REWARDS_SHOWN} level="h3" actions=${actions} />
      </section>`
    }
    ${
      config.show_referral &&
      html`<${Section}
        of=${account.referral}
        show=${(referral: Referral) => html`<${ReferralCard} referral=${referral} />`}
      />`
    }
  </div>`;
}
