import { PortalError } from '../api.ts';
import { sayError, usePortal } from '../portal-context.ts';
import type { Person } from '../shapes.ts';
import { useWorking } from '../use-working.ts';
import { html, useState, type VNode } from '../vendor/preact.js';
import { Dialog } from './dialog.ts';

/** Erasing asks for what only the client knows; where there is no address, for the number or a plain yes. */
export function EraseDialog({
  person,
  onClose,
  onErased,
}: {
  person: Person;
  onClose: () => void;
  onErased: () => void;
}): VNode {
  const { api, language } = usePortal();
  const { say } = language;
  const [isWorking, during] = useWorking();
  const [trouble, setTrouble] = useState<string | null>(null);

  const erase = async (form: HTMLFormElement) => {
    const fields = new FormData(form);
    const phone = String(fields.get('phone') ?? '');
    const proof = person.email
      ? { email: String(fields.get('email')) }
      : { ...(phone ? { phone } : {}), confirm_erase: fields.has('confirm') };
    try {
      await api.erase(proof);
      onErased();
    } catch (error) {
      const isMismatch = error instanceof PortalError && error.status === 400;
      setTrouble(isMismatch ? say('erase.failed') : sayError(language, error));
    }
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void during(() => erase(event.target as HTMLFormElement));
  };

  // What is under way cannot be called back: a way out would read as if it were not done.
  const close = () => {
    if (!isWorking) onClose();
  };
  return html`<${Dialog} title=${say('erase.title')} onClose=${close}>
    <p>${say('account.eraseText')}</p>
    <form onSubmit=${submit}>
      ${
        person.email
          ? html`<label class="field">
              <span>${say('erase.email')}</span>
              <input name="email" type="email" autocomplete="off" required />
            </label>`
          : html`<label class="field">
                <span>${say('erase.phone')}</span>
                <input name="phone" type="tel" autocomplete="off" />
              </label>
              <label class="check">
                <input name="confirm" type="checkbox" required />
                <span>${say('erase.confirm')}</span>
              </label>`
      }
      ${trouble && html`<p class="notice notice-bad" role="alert">${trouble}</p>`}
      <div class="actions">
        <button type="submit" class="button danger" aria-disabled=${isWorking}>
          ${say('erase.submit')}
        </button>
        <button type="button" class="button quiet" aria-disabled=${isWorking} onClick=${close}>
          ${say('cancel')}
        </button>
      </div>
    </form>
  <//>`;
}
