import { Navigation } from './components/navigation.ts';
import { RedeemDialog } from './components/redeem-dialog.ts';
import { usePortal } from './portal-context.ts';
import type { Reward } from './shapes.ts';
import { useAccount } from './use-account.ts';
import { html, useEffect, useState, type VNode } from './vendor/preact.js';
import { type ViewName, viewAt, viewsOf } from './view-name.ts';
import { AccountView } from './views/account.ts';
import { HistoryView } from './views/history.ts';
import { Home } from './views/home.ts';
import { Rewards } from './views/rewards.ts';
import { Brand } from './views/sign-in.ts';

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
  const [wanted, setWanted] = useState<Reward | null>(null);
  return html`<div class="shell">
    <header class="top">
      <${Brand} />
      <${Navigation} views=${views} current=${view} />
    </header>
    <main id="main" tabindex="-1">
      ${view === 'home' && html`<${Home} account=${account} onRedeem=${setWanted} />`}
      ${view === 'rewards' && html`<${Rewards} account=${account} onRedeem=${setWanted} />`}
      ${view === 'history' && html`<${HistoryView} account=${account} />`}
      ${
        view === 'account' &&
        html`<${AccountView} account=${account} onSignOut=${onSignOut} onErased=${onErased} />`
      }
    </main>
    ${
      wanted &&
      html`<${RedeemDialog}
        reward=${wanted}
        onClose=${() => setWanted(null)}
        onRedeemed=${account.afterRedemption}
      />`
    }
  </div>`;
}

/** Follows the address. A change of view is told to the title, and to screen readers by the focus on its heading. */
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
