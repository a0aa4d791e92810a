import { Button, Notice, Refused, sendJson, useForm } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { usePage } from '../context';
import { Heading } from '../heading';
import { Link } from '../link';
import { NewPasswordField } from '../new-password';
import { sayRefused, sayTrouble } from '../refusals';

/** Behind the link of a reset mail and of the mail to the first account. */
export function ResetPassword({ token }: { token: string | null }): VNode {
  const { language, setAccount } = usePage();
  const { say } = language;
  const [isDone, setDone] = useState(false);
  const { isBusy, refused, submit } = useForm(async ({ password }) => {
    await sendJson('POST', '/auth/password/reset', { body: { token, password } });
    // Every session ended with it, this browser's too.
    setAccount(null);
    setDone(true);
  });
  const isDead = token === null || (refused instanceof Refused && !!refused.about('token'));
  const trouble = sayTrouble(language, refused, 'password');
  return (
    <section class="card stack">
      <Heading text={say('reset.title')} />
      {isDone && (
        <>
          <Notice kind="good">{say('reset.done')}</Notice>
          <p>
            <Link to="/sign-in">{say('signIn.title')}</Link>
          </p>
        </>
      )}
      {isDead && !isDone && (
        <>
          <Notice kind="bad">{say('link.dead')}</Notice>
          <p>
            <Link to="/forgot-password">{say('forgot.again')}</Link>
          </p>
        </>
      )}
      {!isDead && !isDone && (
        <form onSubmit={submit}>
          <NewPasswordField trouble={trouble} />
          {refused !== null && !trouble && (
            <Notice kind="bad">{sayRefused(language, refused)}</Notice>
          )}
          <Button isBusy={isBusy}>{say('reset.submit')}</Button>
        </form>
      )}
    </section>
  );
}
