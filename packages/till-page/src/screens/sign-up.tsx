import { Button, Field, Notice, newKey, Refused, useForm } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { renderSVG } from 'uqr';
import { useTill } from '../context';
import { nameOf, sayRefused } from '../say';
import type { SignedUp } from '../shapes';

const FIELDS = ['first_name', 'last_name', 'email', 'phone'] as const;
const INPUTS = {
  first_name: { autocapitalize: 'words', maxLength: 255 },
  last_name: { autocapitalize: 'words', maxLength: 255 },
  email: { type: 'email', inputMode: 'email', autocapitalize: 'none', maxLength: 255 },
  phone: { type: 'tel', inputMode: 'tel', maxLength: 50 },
} as const;

/** A new customer, and the code by which their phone takes the card. */
export function SignUp({
  onServe,
  onBack,
}: {
  onServe: (signedUp: SignedUp) => void;
  onBack: () => void;
}): VNode {
  const { language, api, app } = useTill();
  const { say } = language;
  const [signedUp, setSignedUp] = useState<SignedUp | null>(null);
  const [isEmpty, setEmpty] = useState(false);
  /** The same person under the same key, however often it is sent; what was changed is another wish. */
  const wish = useRef({ body: '', key: '' });
  const { isBusy, refused, submit } = useForm(async (typed) => {
    const person = Object.fromEntries(
      FIELDS.map((name) => [name, typed[name]?.trim() ?? '']).filter(([, text]) => text !== ''),
    );
    setEmpty(Object.keys(person).length === 0);
    if (Object.keys(person).length === 0) return;
    const consents = typed.consent === 'on';
    const consent = { marketing_consent: true, marketing_consent_text: say('signUp.consent') };
    const body = { ...person, ...(consents ? consent : {}) };
    const text = JSON.stringify(body);
    if (wish.current.body !== text) wish.current = { body: text, key: newKey() };
    try {
      setSignedUp(await api.signUp(body, wish.current.key));
    } catch (error) {
      // A key is answered as it was, whatever was mended since.
      if (error instanceof Refused && !error.isOpen) wish.current = { body: '', key: '' };
      throw error;
    }
  });
  if (signedUp) return <Welcome signedUp={signedUp} onServe={() => onServe(signedUp)} />;
  const hidden = app.config.hidden_fields ?? [];
  const about = (name: string) => (refused instanceof Refused ? refused.about(name) : undefined);
  const isTold = FIELDS.some((name) => about(name));
  return (
    <>
      <h1 tabIndex={-1}>{say('signUp.title')}</h1>
      {isEmpty && <Notice kind="bad">{say('signUp.needs')}</Notice>}
      {refused !== null && !isTold && <Notice kind="bad">{sayRefused(language, refused)}</Notice>}
      {/* What is wrong is said in the words of the till, not in the browser's. */}
      <form onSubmit={submit} noValidate>
        {FIELDS.filter((name) => !hidden.includes(name)).map((name) => (
          <Field
            key={name}
            name={name}
            label={say(`signUp.${name}`)}
            autocomplete="off"
            trouble={about(name) && sayTrouble(name, about(name)!)}
            {...INPUTS[name]}
          />
        ))}
        <label class="row consent">
          <input class="tick" type="checkbox" name="consent" />
          {say('signUp.consent')}
        </label>
        <Button isBusy={isBusy}>{say('signUp.submit')}</Button>
      </form>
      <Button type="button" kind="link" onClick={onBack}>
        {say('back')}
      </Button>
    </>
  );

  function sayTrouble(name: string, message: string): string {
    if (name !== 'email') return message;
    return /another client/.test(message) ? say('signUp.taken') : say('signUp.mail');
  }
}

/** The links as codes that the customer's own phone scans off this one. */
function Welcome({ signedUp, onServe }: { signedUp: SignedUp; onServe: () => void }): VNode {
  const { language } = useTill();
  const { say } = language;
  const codes = [
    ['signUp.apple', signedUp.apple_pass_url],
    ['signUp.google', signedUp.google_pass_url],
  ] as const;
  const offered = codes.filter(([, url]) => url !== null);
  return (
    <>
      <h1 tabIndex={-1} class="verdict">
        {say('signUp.done', { name: nameOf(language, signedUp.client) })}
      </h1>
      <p>{say(offered.length > 0 ? 'signUp.scan' : 'signUp.noWallet')}</p>
      <div class="codes">
        {offered.map(([word, url]) => (
          <figure key={word}>
            <img src={drawn(url!)} alt={say('signUp.code', { wallet: say(word) })} />
            <figcaption>{say(word)}</figcaption>
          </figure>
        ))}
      </div>
      <Button type="button" onClick={onServe}>
        {say('signUp.serve')}
      </Button>
    </>
  );
}

const drawn = (url: string): string =>
  `data:image/svg+xml,${encodeURIComponent(renderSVG(url, { border: 2 }))}`;
