import { Button, Notice, sendJson, useForm } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { usePage } from '../context';
import { Heading } from '../heading';
import { Link } from '../link';
import { isDeadLink, sayRefused } from '../refusals';
import { SignOut } from '../sign-out';
import { RegisterForm } from './register';
import { SignInForm } from './sign-in';

interface PublicInvitation {
  email: string;
  workspace_name: string;
  inviter_name: string | null;
  user_exists: boolean;
}

/** Behind the link of an invitation: who is invited where, the way in for who is new, and one button. */
export function Invitation({ token }: { token: string | null }): VNode {
  const { language } = usePage();
  const { say } = language;
  const [invitation, setInvitation] = useState<PublicInvitation | null>(null);
  const [refused, setRefused] = useState<unknown>(null);
  useEffect(() => {
    if (token === null) return;
    sendJson<{ invitation: PublicInvitation }>(
      'GET',
      `/service-api/invitation/${encodeURIComponent(token)}`,
    ).then((answer) => setInvitation(answer.invitation), setRefused);
  }, []);
  const isDead = token === null || isDeadLink(refused);
  return (
    <section class="card stack">
      <Heading
        text={
          invitation
            ? say('invitation.to', { name: invitation.workspace_name })
            : say('invitation.title')
        }
      />
      {isDead && (
        <>
          <Notice kind="bad">{say('invitation.dead')}</Notice>
          <p>
            <Link to="/sign-in">{say('signIn.title')}</Link>
          </p>
        </>
      )}
      {!isDead && refused !== null && <Notice kind="bad">{sayRefused(language, refused)}</Notice>}
      {!isDead && !invitation && refused === null && <p role="status">{say('loading')}</p>}
      {invitation && token && !isDead && <Invited invitation={invitation} token={token} />}
    </section>
  );
}

function Invited({ invitation, token }: { invitation: PublicInvitation; token: string }): VNode {
  const { language, account, session, go } = usePage();
  const { say } = language;
  const { email, workspace_name: name, inviter_name } = invitation;
  async function accept(): Promise<void> {
    await session.call('POST', '/service-api/accept-invitation', {
      body: { invitation_token: token },
    });
    go('/welcome');
  }
  const { isBusy, refused, submit } = useForm(accept);
  const isForThem = account?.user.email.toLowerCase() === email.toLowerCase();
  return (
    <>
      <p>
        {inviter_name
          ? say('invitation.by', { inviter: inviter_name, name, email })
          : say('invitation.for', { name, email })}
      </p>
      {account && !isForThem && (
        <>
          <Notice>{say('invitation.other', { email, current: account.user.email })}</Notice>
          <SignOut kind="main" text={say('invitation.change')} />
        </>
      )}
      {account && isForThem && (
        <form onSubmit={submit}>
          {refused !== null && <Notice kind="bad">{sayRefused(language, refused)}</Notice>}
          <Button isBusy={isBusy}>{say('invitation.accept', { name })}</Button>
        </form>
      )}
      {account === null && invitation.user_exists && (
        <>
          <h2>{say('signIn.title')}</h2>
          <SignInForm email={email} onSignedIn={accept} />
        </>
      )}
      {account === null && !invitation.user_exists && (
        <>
          <h2>{say('register.title')}</h2>
          <RegisterForm invitation={{ token, email }} onSignedIn={accept} />
        </>
      )}
    </>
  );
}
