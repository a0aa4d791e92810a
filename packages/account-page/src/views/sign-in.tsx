import { Button, Notice, PasswordField, sendJson, useForm } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type Account, usePage } from '../context';
import { EmailField } from '../email-field';
import { Heading } from '../heading';
import { Link } from '../link';
import { sayRefused } from '../refusals';
import { SignOut } from '../sign-out';

/** The form works without the other ways in. */
const offersNothing = (): undefined => undefined;

interface Options {
  registration: 'open' | 'invited';
  bootstrap_pending: boolean;
}

/** What the platform offers a visitor without an account; the form stands without waiting for it. */
export function useOptions(): Options | null {
  const [options, setOptions] = useState<Options | null>(null);
  useEffect(() => {
    sendJson<{ data: Options }>('GET', '/auth/options').then(
      ({ data }) => setOptions(data),
      offersNothing,
    );
  }, []);
  return options;
}

export function SignIn(): VNode {
  const { language, go, account } = usePage();
  const { say } = language;
  const options = useOptions();
  return (
    <section class="card stack">
      <Heading text={say('signIn.title')} />
      {account && (
        <div class="notice stack">
          <p>{say('signIn.already', { email: account.user.email })}</p>
          <div class="row">
            <Button type="button" onClick={() => go('/welcome')}>
              {say('continue')}
            </Button>
            <SignOut text={say('signOut')} />
          </div>
        </div>
      )}
      {options?.bootstrap_pending && <Notice>{say('signIn.bootstrap')}</Notice>}
      <SignInForm onSignedIn={() => go('/welcome')} />
      <p>
        <Link to="/forgot-password">{say('signIn.forgot')}</Link>
      </p>
      {options?.registration === 'open' && (
        <p>
          {say('signIn.new')} <Link to="/register">{say('register.title')}</Link>
        </p>
      )}
      {options?.registration === 'invited' && <p class="hint">{say('signIn.invitedOnly')}</p>}
    </section>
  );
}

/** @param email where it is given and not to be chosen */
export function SignInForm({
  email,
  onSignedIn,
}: {
  email?: string;
  onSignedIn: (account: Account) => void | Promise<void>;
}): VNode {
  const { language, session, setAccount } = usePage();
  const { say } = language;
  const { isBusy, refused, submit } = useForm(async (fields) => {
    const account = await session.signIn({ email: fields.email, password: fields.password });
    setAccount(account);
    await onSignedIn(account);
  });
  return (
    <form onSubmit={submit}>
      <EmailField only={email} />
      <PasswordField
        label={say('password')}
        name="password"
        autocomplete="current-password"
        required
        words={{ show: say('password.show'), hide: say('password.hide') }}
      />
      {refused !== null && <Notice kind="bad">{sayRefused(language, refused)}</Notice>}
      <Button isBusy={isBusy}>{say('signIn.submit')}</Button>
    </form>
  );
}
