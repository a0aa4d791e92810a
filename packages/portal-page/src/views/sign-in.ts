import { PortalError } from '../api.ts';
import { createAskedCode } from '../asked-code.ts';
import { Footer } from '../components/footer.ts';
import { sayError, usePortal } from '../portal-context.ts';
import { useWorking } from '../use-working.ts';
import { html, useEffect, useMemo, useRef, useState, type VNode } from '../vendor/preact.js';

/** The way in for who came without a link: a code by e-mail. */
export function SignIn({
  notice,
  onSignedIn,
}: {
  /** Why the client stands here again. */
  notice: string | null;
  onSignedIn: (token: string) => void;
}): VNode {
  const { config, language } = usePortal();
  const { say } = language;
  const asked = useMemo(() => createAskedCode(config.workspace_slug), []);
  const [email, setEmail] = useState(asked.read);
  const [typed, setTyped] = useState('');
  const title = config.welcome_title || say('signIn.title', { name: config.workspace_name });
  // A customer who signed out hears where they are by now, not the name of the view that they left.
  useEffect(() => {
    document.title = config.workspace_name;
    document.querySelector<HTMLElement>('main h1')?.focus();
  }, []);
  const awaitCode = (to: string) => {
    asked.write(to);
    setEmail(to);
  };
  return html`<main id="main" class="sign-in" tabindex="-1">
    <${Brand} />
    <h1 tabindex="-1">${title}</h1>
    <p class="lead">${config.welcome_subtitle || say('signIn.subtitle')}</p>
    ${notice && html`<p class="notice" role="status">${notice}</p>`}
    <div class="card">
      ${
        email === null
          ? html`<${EmailForm} typed=${typed} onSent=${awaitCode} />`
          : html`<${CodeForm}
              email=${email}
              onSignedIn=${onSignedIn}
              onOtherEmail=${() => {
                asked.forget();
                setTyped(email);
                setEmail(null);
              }}
            />`
      }
    </div>
    <p class="hint centred">${say('signIn.passHint')}</p>
    <${Footer} />
  </main>`;
}

/** The shop's logo, else its name. */
export function Brand(): VNode {
  const { logo_url, workspace_name } = usePortal().config;
  return html`<p class="brand">
    ${logo_url ? html`<img src=${logo_url} alt=${workspace_name} />` : workspace_name}
  </p>`;
}

function EmailForm({
  typed,
  onSent,
}: {
  /** The address that was not the right one; empty where none was typed yet. */
  typed: string;
  onSent: (email: string) => void;
}): VNode {
  const { api, config, language } = usePortal();
  const { say } = language;
  const { trouble, isWorking, submit } = useForm(async (fields) => {
    const email = String(fields.get('email')).trim();
    await api.requestCode(email);
    onSent(email);
  });
  const input = useRef<HTMLInputElement | null>(null);
  // The link that had the focus is gone.
  useEffect(() => {
    if (typed !== '') input.current?.focus();
  }, []);
  return html`<form onSubmit=${submit}>
    <label class="field">
      <span>${say('signIn.email')}</span>
      <input
        name="email"
        type="email"
        autocomplete="email"
        inputmode="email"
        defaultValue=${typed}
        required
        ref=${input}
      />
    </label>
    ${trouble && html`<p class="notice notice-bad" role="alert">${trouble}</p>`}
    <button type="submit" class="button wide" aria-disabled=${isWorking}>
      ${config.cta_label || say('signIn.send')}
    </button>
  </form>`;
}

function CodeForm({
  email,
  onSignedIn,
  onOtherEmail,
}: {
  email: string;
  onSignedIn: (token: string) => void;
  onOtherEmail: () => void;
}): VNode {
  const { api, language, notify } = usePortal();
  const { say } = language;
  const { trouble, isWorking, submit, forget } = useForm(async (fields) => {
    const code = String(fields.get('code')).replace(/\s/g, '');
    onSignedIn((await api.verifyCode(email, code)).token);
  });
  const input = useRef<HTMLInputElement | null>(null);
  useEffect(() => input.current?.focus(), []);
  const sent = say('signIn.sent', { email });
  const resend = () =>
    api.requestCode(email).then(
      () => {
        notify(sent);
        // It was said of the code before.
        forget();
      },
      (error: unknown) => notify(sayError(language, error)),
    );
  return html`<form onSubmit=${submit}>
    <p role="status">${sent}</p>
    <label class="field">
      <span>${say('signIn.code')}</span>
      <input
        name="code"
        class="code-input"
        inputmode="numeric"
        autocomplete="one-time-code"
        pattern="\\s*([0-9]\\s*){6}"
        maxlength="12"
        required
        ref=${input}
      />
    </label>
    ${trouble && html`<p class="notice notice-bad" role="alert">${trouble}</p>`}
    <button type="submit" class="button wide" aria-disabled=${isWorking}>${say('signIn.submit')}</button>
    <div class="actions">
      <button type="button" class="link" onClick=${resend}>${say('signIn.resend')}</button>
      <button type="button" class="link" onClick=${onOtherEmail}>${say('signIn.otherEmail')}</button>
    </div>
  </form>`;
}

/** A form that works once at a time and says what went wrong. */
function useForm(work: (fields: FormData) => Promise<void>) {
  const { language } = usePortal();
  const [isWorking, during] = useWorking();
  const [trouble, setTrouble] = useState<string | null>(null);
  const send = async (form: HTMLFormElement) => {
    try {
      await work(new FormData(form));
      // Not before: the links below must not move under a second tap.
      setTrouble(null);
    } catch (error) {
      const isWrong = error instanceof PortalError && error.status === 401;
      setTrouble(isWrong ? language.say('signIn.wrongCode') : sayError(language, error));
    }
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void during(() => send(event.target as HTMLFormElement));
  };
  return { trouble, isWorking, submit, forget: () => setTrouble(null) };
}
