/** @jest-environment jsdom */
import { fr } from './words/fr.ts';

const look = {
  primary_color: '#1F6F54',
  background_color: '#F6F7F4',
  logo_url: null,
  has_portal: true,
};
const given = {
  status: 200,
  locale: 'en',
  look,
  confirmation: {
    workspace: { id: 'w', name: 'Corner', slug: 'corner' },
    answers: [{ name: 'last_name', label: 'Last name', value: 'Lo' }],
    consent_text: null,
    privacy_url: null,
    terms_url: null,
  },
};
const links = { apple_pass_url: 'https://laurel.example/a', google_pass_url: null };

/** The page as a visitor opens it. */
async function open(shown: object): Promise<void> {
  document.body.innerHTML = `<main id="app" class="laurel"></main><script type="application/json" id="enrollment">${JSON.stringify(shown)}</script>`;
  localStorage.clear();
  globalThis.CSSStyleSheet = class {
    replaceSync() {}
  } as unknown as typeof CSSStyleSheet;
  document.adoptedStyleSheets = [];
  jest.resetModules();
  await import('./confirm.ts');
}

/** The page, with what the platform answers when the button is pressed. */
async function pressed(data: object, emailSent = false): Promise<string> {
  await open(given);
  const app = document.getElementById('app')!;
  expect(app.textContent).toContain('Was it you?');
  const body = { data: { pass_id: 'p', ...data }, isResend: false, emailSent };
  globalThis.fetch = (async () => ({
    ok: true,
    status: 200,
    json: async () => body,
  })) as unknown as typeof fetch;
  const shown = new Promise<void>((resolve) => {
    new MutationObserver(() => app.querySelector('.done') && resolve()).observe(app, {
      childList: true,
      subtree: true,
    });
  });
  app.querySelector('button')!.click();
  await shown;
  return app.textContent!;
}

test('the first press leads to the card and into the portal', async () => {
  const text = await pressed({ ...links, client_token: 'session' });
  expect(text).toContain('Add to Apple Wallet');
  expect(localStorage.getItem('laurel.portal.corner')).toBe('session');
});

test('links are said to be in the mail only where there are any', async () => {
  const none = { apple_pass_url: null, google_pass_url: null, client_token: 'session' };
  expect(await pressed(none, true)).not.toContain('sent the links');
  expect(await pressed({ ...links, client_token: 'session' }, true)).toContain('sent the links');
});

test('a press after the first hears that it is done and where to sign in, and is not asked to wait for a mail', async () => {
  const none = { apple_pass_url: null, google_pass_url: null, client_token: null };
  const text = await pressed(none);
  expect(text).toContain('This was confirmed before');
  expect(text).not.toContain('We have sent a link');
  expect(document.querySelector('a')!.getAttribute('href')).toBe('/portal/corner');
  expect(localStorage.length).toBe(0);
});

test('who has a card that staff ended hears that, and is not asked to send it again', async () => {
  await open(given);
  const app = document.getElementById('app')!;
  const extensions = { code: 'CONFLICT', reason: 'pass_ended' };
  globalThis.fetch = (async () => ({
    ok: false,
    status: 409,
    json: async () => ({ errors: [{ message: 'the pass is voided', extensions }] }),
  })) as unknown as typeof fetch;
  const shown = new Promise<void>((resolve) => {
    new MutationObserver(() => app.querySelector('.gone') && resolve()).observe(app, {
      childList: true,
      subtree: true,
    });
  });
  app.querySelector('button')!.click();
  await shown;
  expect(app.textContent).toContain('This card is no longer valid');
  expect(app.textContent).not.toContain('send it again');
});

test('what was answered is read back in the words and the manner of the visitor', async () => {
  const answers = [
    { name: 'first_name', label: 'First name', value: 'Zoé' },
    { name: 'birth_date', label: 'Birthday', value: '1990-04-02' },
    { name: 'pet', label: 'Your pet', value: '2024-13-99' },
  ];
  await open({ ...given, locale: 'fr', confirmation: { ...given.confirmation, answers } });
  expect([...document.querySelectorAll('dl > *')].map(({ textContent }) => textContent)).toEqual([
    'Prénom',
    'Zoé',
    'Date de naissance',
    '2 avril 1990',
    'Your pet',
    '2024-13-99',
  ]);
  expect(document.querySelector('h1')!.textContent).toBe('C’était vous\u202f?');
  expect(JSON.stringify(fr)).not.toMatch(/ [:;!?]/);
});
