import { Button, Field, Notice, useForm } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Language } from '../language';
import type { PairingLink } from '../pairing-link';
import { sayRefused } from '../say';

/** A phone becomes a till: by the code that was scanned, or typed. */
export function Pair({
  language,
  pairing,
  waiting,
  refused: refusedBefore,
  onPair,
  onBack,
}: {
  language: Language;
  pairing: PairingLink | null;
  /** Wishes that wait from before. */
  waiting: number;
  refused: unknown;
  onPair: (proof: object) => Promise<void>;
  /** Left out where there is nothing to go back to. */
  onBack?: () => void;
}): VNode {
  const { say } = language;
  const [isPairing, setPairing] = useState(pairing !== null);
  const [linkRefused, setLinkRefused] = useState<unknown>(refusedBefore);
  const device = { device_name: deviceName(), device_os: null };
  useEffect(() => {
    if (!pairing) return;
    onPair({ ...pairing, ...device })
      .catch(setLinkRefused)
      .finally(() => setPairing(false));
  }, []);
  const { isBusy, refused, submit } = useForm(async ({ identifier, code = '' }) => {
    setLinkRefused(null);
    await onPair({ identifier, code: code.replace(/\s/g, ''), ...device });
  });
  const trouble = refused ?? linkRefused;
  return (
    <main class="screen stack">
      <p class="brand">
        <img src="/till/icon.svg" alt="" width="40" height="40" />
        {say('title')}
      </p>
      <h1>{say('pair.title')}</h1>
      {waiting > 0 && <Notice>{say('pair.waiting', { count: waiting })}</Notice>}
      {isPairing ? (
        <p role="status">{say('pair.working')}</p>
      ) : (
        <>
          <p>{say('pair.text')}</p>
          <form onSubmit={submit}>
            <Field
              label={say('pair.identifier')}
              name="identifier"
              required
              maxLength={255}
              autocomplete="username"
              autocapitalize="none"
              spellcheck={false}
            />
            <Field
              label={say('pair.code')}
              name="code"
              required
              inputMode="numeric"
              autocomplete="one-time-code"
              maxLength={12}
            />
            {trouble !== null && <Notice kind="bad">{sayRefused(language, trouble)}</Notice>}
            <Button isBusy={isBusy}>{say('pair.submit')}</Button>
          </form>
          {onBack && (
            <Button type="button" kind="link" onClick={onBack}>
              {say('back')}
            </Button>
          )}
          <p class="hint">{say('pair.install')}</p>
        </>
      )}
    </main>
  );
}

/** What the owner sees in the list of devices. */
function deviceName(): string {
  const known = /\(([^;)]+)/.exec(navigator.userAgent)?.[1] ?? 'Browser';
  return known.slice(0, 100);
}
