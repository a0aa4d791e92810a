import { Footer } from './components/footer.ts';
import { Navigation } from './components/navigation.ts';
import { RedeemDialog } from './components/redeem-dialog.ts';
import { RewardDialog } from './components/reward-dialog.ts';
import { seenFrom } from './components/reward-list.ts';
import { usePortal } from './portal-context.ts';
import { createRedeemKeys } from './redeem-keys.ts';
import type { Reward } from './shapes.ts';
import { useAccount } from './use-account.ts';
import { html, useEffect, useState, type VNode } from './vendor/preact.js';
import { type ViewName, viewAt, viewsOf } from './view-name.ts';
import { AccountView } from './views/account.ts';
import { HistoryView } from './views/history.ts';
import { Home } from './views/home.ts';
import { Rewards } from './views/rewards.ts';
import { Brand } from './views/sign-in.ts';
import { StatementView } from './views/statement.ts';

/** The page of a client who is signed in. */
export function SignedIn({
  onSignOut,
  onErased,
}: {
  onSignOut: () => void;
  onErased: () => void;
}): VNode {
  const { config } = usePortal();
  const account = useAccount();
  const views = viewsOf(config);
  const view = useView(views);
  const [shown, setShown] = useState<Reward | null>(null);
  const [wanted, setWanted] = useState<Reward | null>(null);
  const [keys] = useState(() => createRedeemKeys(config.workspace_slug));
  const actions = { show: setShown, redeem: setWanted };
  const seen = (reward: Reward) => seenFrom(account.balances.value, reward);
  return html`<div class="shell">
    <header class="top">
      <${Brand} />
      <${Navigation} views=${views} current=${view} />
    </header>
    <main id="main" tabindex="-1">
      ${view === 'home' && html`<${Home} account=${account} actions=${actions} />`}
      ${view === 'rewards' && html`<${Rewards} account=${account} actions=${actions} />`}
      ${view === 'statement' && html`<${StatementView} account=${account} />`}
      ${view === 'history' && html`<${HistoryView} account=${account} />`}
      ${
        view === 'account' &&
        html`<${AccountView} account=${account} onSignOut=${onSignOut} onErased=${onErased} />`
      }
    </main>
    <${Footer} />
    ${
      shown &&
      html`<${RewardDialog}
        seen=${seen(shown)}
        onClose=${() => setShown(null)}
        onRedeem=${() => {
          setShown(null);
          setWanted(shown);
        }}
      />`
    }
    ${
      wanted &&
      html`<${RedeemDialog}
        seen=${seen(wanted)}
        keys=${keys}
        history=${account.history}
        onClose=${() => setWanted(null)}
        onRedeemed=${account.afterRedemption}
      />`
    }
  </div>`;
}

/** Follows the address. A change of view reaches the title, and to screen readers by the focus on its heading. */
function useView(views: readonly ViewName[]): ViewName {
  const { config, language } = usePortal();
  const [view, setView] = useState(() => viewAt(location.hash, views));
  useEffect(() => {
    const follow = () => setView(viewAt(location.hash, views));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  useEffect(() => {
    document.title = `${language.say(`nav.${view}`)} · ${config.workspace_name}`;
    scrollTo(0, 0);
    document.querySelector<HTMLElement>('main h1')?.focus();
  }, [view]);
  return view;
}
