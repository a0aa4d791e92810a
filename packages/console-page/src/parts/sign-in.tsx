import { sendJson } from '@laurel/page-kit/http';
import { Button, Modal, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { sayRefused } from '../refusals';
import { useText } from '../text';
import { Notice } from './notice';

interface Proof {
  email: string;
  password: string;
}
type OnSignIn = (proof: Proof) => Promise<void>;

/** Asks for a session where there is none. */
export function SignIn({ onSignIn }: { onSignIn: OnSignIn }): ReactNode {
  const { say } = useText();
  const isOpen = useIsOpen();
  return (
    <main className="door">
      <p className="brand">
        <img src="/console/icon.svg" alt="" width="32" height="32" />
        Laurel
      </p>
      <h1>{say('signIn.title')}</h1>
      <SignInForm onSignIn={onSignIn} />
      <p>
        <a href="/forgot-password">{say('signIn.forgot')}</a>
      </p>
      {isOpen && (
        <p>
          <a href="/register">{say('signIn.register')}</a>
        </p>
      )}
    </main>
  );
}

/** A page that may not say what it offers to newcomers offers nothing. */
const offersNothing = (): undefined => undefined;

/** Whether anybody may register here. */
function useIsOpen(): boolean {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    sendJson<{ data: { registration: string } }>('GET', '/auth/options').then(
      ({ data }) => setOpen(data.registration === 'open'),
      offersNothing,
    );
  }, []);
  return isOpen;
}

/** Asks for a session over the page, which stays as it is. */
export function SignInAgain({ email, onSignIn }: { email: string; onSignIn: OnSignIn }): ReactNode {
  const { say } = useText();
  return (
    <Modal.Root opened onClose={() => undefined} closeOnEscape={false} closeOnClickOutside={false}>
      <Modal.Overlay />
      <Modal.Content aria-label={say('signIn.again')}>
        <Modal.Body>
          <h2>{say('signIn.again')}</h2>
          <p>{say('signIn.kept')}</p>
          <SignInForm email={email} onSignIn={onSignIn} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function SignInForm({ email, onSignIn }: { email?: string; onSignIn: OnSignIn }): ReactNode {
  const { say } = useText();
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<unknown>(null);
  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    // What was refused stays until it is answered: the link below must not move under a second click.
    const said = Object.fromEntries(new FormData(event.currentTarget)) as unknown as Proof;
    await onSignIn({ ...said, ...(email ? { email } : {}) }).catch(setRefused);
    setBusy(false);
  }
  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      <TextInput
        label={say('signIn.email')}
        name="email"
        type="email"
        autoComplete="username"
        required
        defaultValue={email}
        readOnly={email !== undefined}
      />
      <PasswordInput
        label={say('signIn.password')}
        name="password"
        autoComplete="current-password"
        required
        data-autofocus={email !== undefined || undefined}
        visibilityToggleButtonProps={{ 'aria-label': say('signIn.show') }}
      />
      {refused !== null && <Notice kind="bad">{sayRefused(say, refused)}</Notice>}
      <Button type="submit" loading={isBusy}>
        {say('signIn.submit')}
      </Button>
    </form>
  );
}
