import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { type Account, type User, usePage } from '../context';
import { ResendVerification } from '../resend-verification';

/** Asks for the proof of an address, until it is there: the mailed link opens elsewhere, often in another tab. */
export function PendingAddress({ account }: { account: Account }): VNode {
  const { language, session, setAccount } = usePage();
  const { email } = account.user;
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'hidden') return;
      session.call<{ data: User }>('GET', '/service-api/user/me').then(({ data: user }) => {
        if (user.email_verified) setAccount({ ...account, user });
      }, askedAgain);
    };
    // An owner who comes back from their mail makes one of the two happen.
    addEventListener('focus', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      removeEventListener('focus', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, [account]);
  return (
    <div class="notice stack">
      <p>{language.say('verify.pending', { email })}</p>
      <ResendVerification />
    </div>
  );
}

/** It stands there until the next look. */
const askedAgain = (): undefined => undefined;
