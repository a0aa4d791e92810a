/** @jest-environment jsdom */
import type { Enrolled } from './shapes.ts';

const given = {
  status: 200,
  locale: 'en',
  distribution_id: 'd',
  look: { primary_color: null, background_color: null, logo_url: null, has_portal: true },
  form: { workspace: { name: 'Corner', slug: 'corner' }, form_fields_config: [] },
};

/** Where the page leads to, once the form was sent and answered so. */
async function ledTo(answer: {
  data: Partial<Enrolled['data']>;
  isResend?: boolean;
}): Promise<string | null> {
  document.body.innerHTML = `<main id="app" class="laurel"></main><script type="application/json" id="enrollment">${JSON.stringify(given)}</script>`;
  localStorage.clear();
  globalThis.CSSStyleSheet = class {
    replaceSync() {}
  } as unknown as typeof CSSStyleSheet;
  document.adoptedStyleSheets = [];
  const body = { isResend: false, emailSent: false, ...answer };
  globalThis.fetch = (async () => ({
    ok: true,
    status: 200,
    json: async () => body,
  })) as unknown as typeof fetch;
  jest.resetModules();
  await import('./page.ts');
  const app = document.getElementById('app')!;
  const shown = new Promise<void>((resolve) => {
    new MutationObserver(() => app.querySelector('.done') && resolve()).observe(app, {
      childList: true,
      subtree: true,
    });
  });
  app.querySelector<HTMLInputElement>('[name=first_name]')!.value = 'Bo';
  app.querySelector<HTMLInputElement>('[name=email]')!.value = 'bo@mail.example';
  app.querySelector('form')!.requestSubmit();
  await shown;
  return app.querySelector('a.portal')?.getAttribute('href') ?? null;
}

const links = { apple_pass_url: null, google_pass_url: null };

test('a new member goes on to the portal, signed in', async () => {
  expect(await ledTo({ data: { ...links, pass_id: 'p', client_token: 'session' } })).toBe(
    '/portal/corner',
  );
  expect(localStorage.getItem('laurel.portal.corner')).toBe('session');
});

test('one whose first answer was lost goes there, too, and signs in', async () => {
  expect(await ledTo({ data: { ...links, pass_id: 'p', client_token: null } })).toBe(
    '/portal/corner',
  );
  expect(localStorage.length).toBe(0);
});

test('one who is known already has a mail to open', async () => {
  const known = { ...links, pass_id: null, client_token: null };
  expect(await ledTo({ data: known })).toBeNull();
  expect(await ledTo({ data: { ...known, pass_id: 'p' }, isResend: true })).toBeNull();
});
