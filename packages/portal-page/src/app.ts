import { createApi } from './api.ts';
import { createAskedCode } from './asked-code.ts';
import type { Language, WordKey } from './language.ts';
import { PortalContext, sayError, usePortal } from './portal-context.ts';
import { createRedeemKeys } from './redeem-keys.ts';
import type { SessionStore } from './session-store.ts';
import type { PortalConfig } from './shapes.ts';
import { SignedIn } from './signed-in.ts';
import { html, useEffect, useMemo, useRef, useState, type VNode } from './vendor/preact.js';
import { Brand, SignIn } from './views/sign-in.ts';

/** The session is forgotten here, whether the platform hears of it or not. */
const unheard = (): undefined => undefined;

/** Where the visitor stands: on the way in by a link, outside (and why), or inside. */
type Standing = { at: 'link' } | { at: 'door'; notice: string | null } | { at: 'inside' };

const NOTICE_MS = 4_000;

export interface AppProps {
  config: PortalConfig;
  language: Language;
  store: SessionStore;
  /** What the address carried. A link always wins over who was signed in before. */
  linkToken: string | null;
  send?: typeof fetch;
}

export function App({ config, language, store, linkToken, send }: AppProps): VNode {
  const [standing, setStanding] = useState<Standing>(() => {
    if (linkToken !== null) return { at: 'link' };
    return store.read() === null ? { at: 'door', notice: null } : { at: 'inside' };
  });
  const [notice, notify] = useNotice();

  const leave = (why: WordKey | null) => {
    store.clear();
    setStanding({ at: 'door', notice: why === null ? null : language.say(why) });
  };
  /** The page forgets the session at once; whether the platform hears of it must not keep anybody in. */
  const signOut = () => {
    api.logout().catch(unheard);
    leave(null);
  };
  const enter = (token: string) => {
    createRedeemKeys(config.workspace_slug).forget();
    createAskedCode(config.workspace_slug).forget();
    store.write(token);
    setStanding({ at: 'inside' });
  };
  const api = useMemo(() => {
    const session = { token: store.read, onSignedOut: () => leave('signIn.ended') };
    return createApi(config.workspace_slug, session, send);
  }, []);
  useEffect(() => {
    if (linkToken === null) return;
    // The old session must not speak for the one who opened this link.
    store.clear();
    api.openByLink(linkToken).then(
      ({ token }) => enter(token),
      (error: unknown) => {
        const isDead = [401, 404].includes((error as { status?: number }).status ?? 0);
        const why = isDead ? language.say('signIn.deadLink') : sayError(language, error);
        setStanding({ at: 'door', notice: why });
      },
    );
  }, []);

  const portal = useMemo(() => ({ api, config, language, notify }), []);
  return html`<${PortalContext.Provider} value=${portal}>
    <a class="skip" href="#main" onClick=${skip}>${language.say('skip')}</a>
    ${standing.at === 'link' && html`<${Opening} />`}
    ${standing.at === 'door' && html`<${SignIn} notice=${standing.notice} onSignedIn=${enter} />`}
    ${
      standing.at === 'inside' &&
      html`<${SignedIn} onSignOut=${signOut} onErased=${() => leave('erase.done')} />`
    }
    <p class=${`toast ${notice ? 'toast-shown' : ''}`} role="status">${notice}</p>
  <//>`;
}

function Opening(): VNode {
  const { say } = usePortal().language;
  return html`<main id="main" class="sign-in" aria-busy="true">
    <${Brand} />
    <p class="lead" role="status">${say('signIn.opening')}</p>
  </main>`;
}

/** Addresses name views here, so the browser would not find its target. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function useNotice(): [string, (sentence: string) => void] {
  const [notice, setNotice] = useState('');
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const notify = (sentence: string) => {
    clearTimeout(timer.current);
    setNotice(sentence);
    timer.current = setTimeout(() => setNotice(''), NOTICE_MS);
  };
  return [notice, notify];
}
