import { Button, Notice, sendJson, useForm } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { usePage } from '../context';
import { Heading } from '../heading';
import { Link } from '../link';
import { isDeadLink, sayRefused } from '../refusals';
import { ResendVerification } from '../resend-verification';

/** Behind the link that proves an address. Opening it changes nothing: scanners of mails open links, too. */
export function VerifyEmail({ token }: { token: string | null }): VNode {
  const { language, account, setAccount, go } = usePage();
  const { say } = language;
  const [isDone, setDone] = useState(false);
  const { isBusy, refused, submit } = useForm(async () => {
    await sendJson('POST', '/auth/verify-email', { body: { token } });
    if (account) setAccount({ ...account, user: { ...account.user, email_verified: true } });
    setDone(true);
  });
  const isDead = token === null || isDeadLink(refused);
  return (
    <section class="card stack">
      <Heading text={say('verify.title')} />
      {isDone && (
        <>
          <Notice kind="good">{say('verify.done')}</Notice>
          <Button type="button" onClick={() => go(account ? '/welcome' : '/sign-in')}>
            {say('continue')}
          </Button>
        </>
      )}
      {isDead && !isDone && (
        <>
          <Notice kind="bad">{say('link.dead')}</Notice>
          {account && !account.user.email_verified && <ResendVerification />}
          {account?.user.email_verified && <p>{say('verify.already')}</p>}
          {account === null && (
            <p>
              {say('verify.signInFirst')} <Link to="/sign-in">{say('signIn.title')}</Link>
            </p>
          )}
        </>
      )}
      {!isDead && !isDone && (
        <form onSubmit={submit}>
          <p>{say('verify.text')}</p>
          {refused !== null && <Notice kind="bad">{sayRefused(language, refused)}</Notice>}
          <Button isBusy={isBusy}>{say('verify.submit')}</Button>
        </form>
      )}
    </section>
  );
}
