import { AddCard } from '../components/add-card.ts';
import { EraseDialog } from '../components/erase-dialog.ts';
import { Section } from '../components/section.ts';
import { Stale } from '../components/stale.ts';
import { sayError, usePortal } from '../portal-context.ts';
import type { Card, Person } from '../shapes.ts';
import type { Account } from '../use-account.ts';
import { useLoaded } from '../use-loaded.ts';
import { html, useState, type VNode } from '../vendor/preact.js';

export function AccountView({
  account,
  onSignOut,
  onErased,
}: {
  account: Account;
  onSignOut: () => void;
  onErased: () => void;
}): VNode {
  const { api, language } = usePortal();
  const { say } = language;
  // No other view needs them.
  const cards = useLoaded(api.cards);
  const [isErasing, setErasing] = useState(false);
  const show = (person: Person) => html`<div class="stack">
    <section class="card">
      <p class="hint">${say('account.signedInAs')}</p>
      <p class="person">${nameOf(person)}</p>
      ${person.email && html`<p class="hint">${person.email}</p>`}
      <button type="button" class="button quiet" onClick=${onSignOut}>${say('account.signOut')}</button>
    </section>
    <${Section} of=${cards} show=${(all: Card[]) => html`<${AddCard} cards=${all} />`} />
    <${Consent} person=${person} onChanged=${account.person.reload} />
    <section class="card">
      <h2 class="card-title">${say('account.erase')}</h2>
      <p class="hint">${say('account.eraseText')}</p>
      <button type="button" class="button danger quiet" onClick=${() => setErasing(true)}>
        ${say('account.erase')}
      </button>
    </section>
    ${
      isErasing &&
      html`<${EraseDialog}
        person=${person}
        onClose=${() => setErasing(false)}
        onErased=${onErased}
      />`
    }
  </div>`;
  return html`<div class="stack">
    <h1 tabindex="-1">${say('account.title')}</h1>
    <${Stale} of=${[account.person, cards]} />
    <${Section} of=${account.person} show=${show} />
  </div>`;
}

function Consent({ person, onChanged }: { person: Person; onChanged: () => Promise<void> }): VNode {
  const { api, language, notify } = usePortal();
  const { say } = language;
  const [wanted, setWanted] = useState<boolean | null>(null);
  const change = async (event: Event) => {
    const box = event.target as HTMLInputElement;
    if (wanted !== null) {
      box.checked = wanted;
      return;
    }
    const consent = box.checked;
    setWanted(consent);
    try {
      await api.setConsent(consent);
      await onChanged();
      notify(say('account.consentSaved'));
    } catch (error) {
      notify(sayError(language, error));
    } finally {
      setWanted(null);
    }
  };
  return html`<section class="card">
    <label class="switch">
      <span>
        <strong>${say('account.consent')}</strong>
        <span class="hint">${say('account.consentText')}</span>
      </span>
      <input
        type="checkbox"
        role="switch"
        checked=${wanted ?? person.marketing_consent}
        aria-disabled=${wanted !== null}
        onChange=${change}
      />
    </label>
  </section>`;
}

function nameOf({ first_name, last_name, email }: Person): string {
  return [first_name, last_name].filter(Boolean).join(' ') || email || '–';
}
