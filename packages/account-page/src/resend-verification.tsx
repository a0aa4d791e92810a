import { Button, Notice, useForm } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { usePage } from './context';
import { sayRefused } from './refusals';

/** Has the link that proves an address mailed anew. */
export function ResendVerification(): VNode {
  const { language, session, account } = usePage();
  const { say } = language;
  const [isSent, setSent] = useState(false);
  const { isBusy, refused, submit } = useForm(async () => {
    await session.call('POST', '/auth/verify-email/resend');
    setSent(true);
  });
  if (isSent)
    return <Notice kind="good">{say('verify.sent', { email: account?.user.email ?? '' })}</Notice>;
  return (
    <form onSubmit={submit}>
      {refused !== null && <Notice kind="bad">{sayRefused(language, refused)}</Notice>}
      <Button kind="quiet" isBusy={isBusy}>
        {say('verify.resend')}
      </Button>
    </form>
  );
}
