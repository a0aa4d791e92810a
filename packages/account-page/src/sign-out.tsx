import { Button, Notice, useForm } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { usePage } from './context';
import { sayRefused } from './refusals';

/** Ends the session of this browser. Who walks away must know where that failed: they are still signed in. */
export function SignOut({ kind = 'link', text }: { kind?: 'main' | 'link'; text: string }): VNode {
  const { language, session, setAccount } = usePage();
  const { isBusy, refused, submit } = useForm(async () => {
    await session.signOut();
    setAccount(null);
  });
  return (
    <form onSubmit={submit}>
      {refused !== null && <Notice kind="bad">{sayRefused(language, refused)}</Notice>}
      <Button kind={kind} isBusy={isBusy}>
        {text}
      </Button>
    </form>
  );
}
