import { Button, Notice, sendJson, useForm } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { usePage } from '../context';
import { EmailField } from '../email-field';
import { Heading } from '../heading';
import { Link } from '../link';
import { sayRefused } from '../refusals';

export function ForgotPassword(): VNode {
  const { language } = usePage();
  const { say } = language;
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { isBusy, refused, submit } = useForm(async ({ email = '' }) => {
    await sendJson('POST', '/auth/password/request', { body: { email } });
    setSentTo(email);
  });
  return (
    <section class="card stack">
      <Heading text={say('forgot.title')} />
      {sentTo !== null ? (
        <Notice kind="good">{say('forgot.sent', { email: sentTo })}</Notice>
      ) : (
        <>
          <p>{say('forgot.text')}</p>
          <form onSubmit={submit}>
            <EmailField />
            {refused !== null && <Notice kind="bad">{sayRefused(language, refused)}</Notice>}
            <Button isBusy={isBusy}>{say('forgot.submit')}</Button>
          </form>
        </>
      )}
      <p>
        <Link to="/sign-in">{say('signIn.title')}</Link>
      </p>
    </section>
  );
}
