import { createPageSession, type Send } from '@laurel/page-kit';
import type { FunctionComponent, VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type Account, PageContext } from './context';
import type { Language } from './language';
import { ForgotPassword } from './views/forgot-password';
import { Invitation } from './views/invitation';
import { Register } from './views/register';
import { ResetPassword } from './views/reset-password';
import { SignIn } from './views/sign-in';
import { VerifyEmail } from './views/verify-email';
import { Welcome } from './views/welcome';

const VIEWS: Readonly<Record<string, FunctionComponent<{ token: string | null }>>> = {
  '/sign-in': SignIn,
  '/register': Register,
  '/forgot-password': ForgotPassword,
  '/reset-password': ResetPassword,
  '/verify-email': VerifyEmail,
  '/invitation': Invitation,
  '/welcome': Welcome,
};

export interface AppProps {
  language: Language;
  /** What a mailed link brought. */
  token: string | null;
  send?: Send;
}

export function App({ language, token, send }: AppProps): VNode {
  const [path, setPath] = useState(location.pathname);
  const [account, setAccount] = useState<Account | null | undefined>(undefined);
  const session = useMemo(
    () =>
      createPageSession<Account>({
        place: '/auth/session',
        carry: (access) => ({ Authorization: `Bearer ${access}` }),
        onEnded: () => setAccount(null),
        personOf: ({ user }) => user.id,
        ...(send ? { send } : {}),
      }),
    [],
  );
  useEffect(() => {
    session.resume().then(setAccount, () => setAccount(null));
    const follow = () => setPath(location.pathname);
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);
  useFocusOnHeading(path);

  const go = (next: string) => {
    history.pushState(null, '', next);
    setPath(location.pathname);
  };
  const View = VIEWS[path] ?? SignIn;
  return (
    <PageContext.Provider value={{ language, session, account, setAccount, go }}>
      <main id="main" class={path === '/welcome' ? 'wide' : ''}>
        <p class="brand">
          <img src="/account/icon.svg" alt="" width="32" height="32" />
          Laurel
        </p>
        <View token={token} key={path} />
      </main>
    </PageContext.Provider>
  );
}

/** A user of a keyboard or screen reader begins at the top of what is new. */
function useFocusOnHeading(path: string): void {
  const [first] = useState(path);
  useEffect(() => {
    const heading = document.querySelector('h1');
    document.title = `${heading?.textContent ?? 'Laurel'} – Laurel`;
    if (path !== first) heading?.focus();
  }, [path]);
}
