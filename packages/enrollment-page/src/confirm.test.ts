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

/** What the page shows when the button is pressed, once there is an element of that class. */
async function pressed(answer: { status: number; body: object }, shownBy: string): Promise<string> {
  await open(given);
  const app = document.getElementById('app')!;
  expect(app.textContent).toContain('Was it you?');
  const { status, body } = answer;
  globalThis.fetch = (async () => ({
    ok: status < 400,
    status,
    json: async () => body,
  })) as unknown as typeof fetch;
  const shown = new Promise<void>((resolve) => {
    new MutationObserver(() => app.querySelector(shownBy) && resolve()).observe(app, {
      childList: true,
      subtree: true,
    });
  });
  app.querySelector('button')!.click();
  await shown;
  return app.textContent!;
}

const confirmed = (data: object, emailSent = false): Promise<string> => {
  const body = { data: { pass_id: 'p', ...data }, isResend: false, emailSent };
  return pressed({ status: 200, body }, '.done');
};

test('the first press leads to the card and into the portal', async () => {
  const text = await confirmed({ ...links, client_token: 'session' });
  expect(text).toContain('Add to Apple Wallet');
  expect(localStorage.getItem('laurel.portal.corner')).toBe('session');
});

test('links are said to be in the mail only where there are any', async () => {
  const none = { apple_pass_url: null, google_pass_url: null, client_token: 'session' };
  expect(await confirmed(none, true)).not.toContain('sent the links');
  expect(await confirmed({ ...links, client_token: 'session' }, true)).toContain('sent the links');
});

test('a press after the first hears that it is done and where to sign in, and is not asked to wait for a mail', async () => {
  const none = { apple_pass_url: null, google_pass_url: null, client_token: null };
  const text = await confirmed(none);
  expect(text).toContain('This was confirmed before');
  expect(text).not.toContain('We have sent a link');
  expect(document.querySelector('a')!.getAttribute('href')).toBe('/portal/corner');
  expect(localStorage.length).toBe(0);
});

test('who has a card that staff ended hears that, and is not asked to send it again', async () => {
  const extensions = { code: 'CONFLICT', reason: 'pass_ended' };
  const body = { errors: [{ message: 'the pass is voided', extensions }] };
  const text = await pressed({ status: 409, body }, '.gone');
  expect(text).toContain('This card is no longer valid');
  expect(text).not.toContain('send it again');
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
