import { Button, Field, Notice, Refused, sendJson, useForm } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { type Account, usePage } from '../context';
import { EmailField } from '../email-field';
import { Heading } from '../heading';
import { Link } from '../link';
import { NewPasswordField } from '../new-password';
import { sayRefused, sayTrouble } from '../refusals';
import { useOptions } from './sign-in';

export function Register(): VNode {
  const { language, go } = usePage();
  const { say } = language;
  const options = useOptions();
  const isClosed = options?.registration === 'invited';
  return (
    <section class="card stack">
      <Heading text={say('register.title')} />
      {isClosed ? (
        <Notice>{say('refused.closed')}</Notice>
      ) : (
        <RegisterForm onSignedIn={() => go('/welcome')} />
      )}
      <p>
        {say('register.known')} <Link to="/sign-in">{say('signIn.title')}</Link>
      </p>
    </section>
  );
}

/** @param invitation the token that came by mail, and the address that it is for */
export function RegisterForm({
  invitation,
  onSignedIn,
}: {
  invitation?: { token: string; email: string };
  onSignedIn: (account: Account) => void | Promise<void>;
}): VNode {
  const { language, session, setAccount } = usePage();
  const { say } = language;
  const { isBusy, refused, submit } = useForm(async ({ email, password, first_name }) => {
    const body = {
      email,
      password,
      first_name: first_name || null,
      ...(invitation ? { invitation_token: invitation.token } : {}),
    };
    await sendJson('POST', '/auth/register', { body });
    const account = await session.signIn({ email, password });
    setAccount(account);
    await onSignedIn(account);
  });
  const trouble = (field: string) => sayTrouble(language, refused, field);
  const isAboutField = refused instanceof Refused && (trouble('email') ?? trouble('password'));
  return (
    <form onSubmit={submit}>
      <Field label={say('firstName')} name="first_name" autocomplete="given-name" maxLength={255} />
      <EmailField trouble={trouble('email')} only={invitation?.email} />
      <NewPasswordField trouble={trouble('password')} />
      {refused !== null && !isAboutField && (
        <Notice kind="bad">{sayRefused(language, refused)}</Notice>
      )}
      <Button isBusy={isBusy}>{say('register.submit')}</Button>
    </form>
  );
}
