/** @jest-environment jsdom */
import { mountWidget } from './widget.ts';

const ORIGIN = 'https://shop.example';
const asked: string[] = [];
let answer: { status: number; body: unknown };

beforeEach(() => {
  asked.length = 0;
  document.body.innerHTML = '';
  document.documentElement.lang = 'en';
  // jsdom has neither.
  globalThis.CSSStyleSheet = class {
    replaceSync() {}
  } as unknown as typeof CSSStyleSheet;
  globalThis.fetch = (async (address: string) => {
    asked.push(address);
    const { status, body } = answer;
    return {
      ok: status < 400,
      status,
      json: async () => body,
      headers: new Headers({ 'content-language': 'de' }),
    };
  }) as unknown as typeof fetch;
});
afterEach(() => jest.restoreAllMocks());

async function mount(): Promise<string> {
  const script = document.createElement('script');
  script.src = 'https://laurel.example/embed.js';
  script.dataset.token = 'token';
  // What jsdom would run is not what is tested.
  script.type = 'text/plain';
  document.body.append(script);
  await mountWidget(script);
  return document.querySelector('.laurel-enrollment')!.shadowRoot!.textContent!;
}
const refused = (status: number, message: string, extensions: object) => ({
  status,
  body: { errors: [{ message, extensions }] },
});

test('a page whose origin is not allowed reads so in its console, and its visitors that the form is not for here', async () => {
  const told = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const message = `this form may not be used on ${ORIGIN}: it is not among allowed_origins`;
  answer = refused(403, message, { code: 'FORBIDDEN', reason: 'origin_not_allowed' });
  expect(await mount()).toContain('This form cannot be used here');
  expect(told).toHaveBeenCalledWith(expect.stringContaining(message));
});

test('a wrong token shows in the console of its page, and visitors read that there is no form', async () => {
  const told = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  answer = refused(404, 'there is no such form', { code: 'RECORD_NOT_FOUND' });
  expect(await mount()).toContain('This page does not exist');
  expect(told).toHaveBeenCalledWith(expect.stringContaining('there is no such form'));
});

test('a platform that is away is no wrong link: visitors read that they may come again', async () => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  answer = refused(503, 'a part of the platform is not available', { code: 'SERVICE_UNAVAILABLE' });
  const text = await mount();
  expect(text).toContain('The form cannot be loaded right now');
  expect(text).not.toContain('does not exist');
});

test('a form that may be used is asked in the language of the workspace, with links to its policies', async () => {
  const form = {
    form_fields_config: [],
    privacy_url: 'https://shop.example/privacy',
    terms_url: null,
    workspace: { id: 'w', name: 'Corner', slug: 'corner' },
  };
  answer = { status: 200, body: { data: form } };
  const text = await mount();
  expect(asked).toEqual(['https://laurel.example/service-api/embed/distribution/token/config']);
  expect(text).toContain('Corner beitreten');
  expect(text).toContain('Datenschutzerklärung');
});
