/**
 * @jest-environment jsdom
 * @jest-environment-options {"customExportConditions": ["node", "require"]}
 */
import type { Send } from '@laurel/page-kit';
import { render } from 'preact';
import { App } from './app';
import { LANGUAGES } from './language';
import type { PairingLink } from './pairing-link';
import type { Wish } from './queue/machine';
import type { WishStore } from './queue/store';

const wishOf = (key: string, state: Wish['state']): Wish => ({
  key,
  code: 'card',
  name: null,
  passId: null,
  actionId: 'action',
  title: 'Purchase',
  data: {},
  at: Date.now(),
  mayWait: true,
  state,
});
const storeOf = (...wishes: Wish[]): WishStore => ({
  all: async () => wishes,
  put: async () => undefined,
  remove: async () => undefined,
  replace: async () => false,
});

/** Resolves once the page says so much. */
const saying = (place: Element, said: string) =>
  new Promise<void>((resolve) => {
    new MutationObserver(() => {
      if (place.textContent?.includes(said)) resolve();
    }).observe(place, { subtree: true, childList: true, characterData: true });
  });

/** Opens the till of a phone, and waits until it says so much. */
async function open(
  store: WishStore,
  said: string,
  send?: Send,
  pairing: PairingLink | null = null,
): Promise<Element> {
  document.body.innerHTML = '<div id="app"></div>';
  Object.assign(globalThis, { BroadcastChannel: undefined });
  const language = await LANGUAGES.of('en');
  const place = document.querySelector('#app')!;
  const says = saying(place, said);
  render(
    <App language={language} store={store} pairing={pairing} {...(send ? { send } : {})} />,
    place,
  );
  await says;
  return place;
}
const refusing = (reason: string): Send => {
  const extensions = { code: 'INVALID_TOKEN', reason };
  const body = { errors: [{ message: 'no', extensions }] };
  const headers = new Headers();
  return (async () => ({ ok: false, status: 401, headers, json: async () => body })) as never;
};
const PAIRED = 'laurel.till';
function wasPaired(): void {
  const workspace = { id: 'w', name: 'Corner', slug: 'corner' };
  const staff = { user: { id: 'u', first_name: null, email: null }, workspace };
  const app = { config: { app_config: {}, hidden_fields: null }, actions: [], wallet_types: [] };
  localStorage.setItem(PAIRED, JSON.stringify({ staff, app, currency: 'EUR' }));
  localStorage.setItem('/service-api/mobile-app/session', '1');
}
beforeEach(() => localStorage.clear());
afterEach(() => render(null, document.querySelector('#app')!));

test('a phone that must be paired again promises to send what waits, and nothing that was refused', async () => {
  const store = storeOf(wishOf('a', 'waiting'), wishOf('b', 'refused'), wishOf('c', 'unsure'));
  const place = await open(store, 'entry waits');
  expect(place.textContent).toContain('1 entry waits and is sent once this phone is paired again');
});

test.each([
  ['app_switched_off', 'The till is switched off'],
  ['app_user_barred', 'You are not let in at the moment'],
])('a phone that may be a till again later (%s) says so, and stays one', async (reason, said) => {
  wasPaired();
  const place = await open(storeOf(wishOf('a', 'waiting')), said, refusing(reason));
  expect(place.textContent).toContain('Corner');
  expect(place.textContent).toContain('1 entry waits and is sent once the till is on again');
  expect(localStorage.getItem(PAIRED)).not.toBeNull();
  expect(localStorage.getItem('/service-api/mobile-app/session')).not.toBeNull();
});

test('a phone that may be no till now is paired anew by what is typed, and goes back', async () => {
  wasPaired();
  const place = await open(storeOf(), 'not let in', refusing('app_user_barred'));
  const button = (name: string) =>
    [...place.querySelectorAll('button')].find(({ textContent }) => textContent === name)!;
  const asks = saying(place, 'Code with 6 digits');
  button('Pair this phone anew').click();
  await asks;
  expect(place.querySelector('input[name=identifier]')).not.toBeNull();
  expect(button('Back')).toBeDefined();
  expect(localStorage.getItem(PAIRED)).not.toBeNull();
});

test('a phone that the shop has signed out says so where it is to be paired anew', async () => {
  wasPaired();
  const place = await open(
    storeOf(wishOf('a', 'waiting')),
    'The shop has signed this phone out.',
    refusing('device_signed_out'),
  );
  expect(place.textContent).toContain('Make this phone a till');
  expect(localStorage.getItem(PAIRED)).toBeNull();
});

test('a phone that was paired by a link and is let in no longer says so, and tries its used code on nothing', async () => {
  wasPaired();
  let send = answeringAsKept();
  const asked: string[] = [];
  const counted = ((path: string, init: RequestInit) => {
    asked.push(`${init.method} ${path}`);
    return send(path, init);
  }) as Send;
  const pairing = { identifier: 'lisa@example.com', code: '123456' };
  const place = await open(storeOf(), 'Sign this phone out', counted, pairing);
  send = refusing('');
  asked.length = 0;
  const says = saying(place, 'This phone is not paired any more.');
  const wanted = place.querySelector<HTMLInputElement>('input[name=wanted]')!;
  wanted.value = 'Ada';
  wanted.form!.requestSubmit();
  await says;
  expect(place.textContent).toContain('Make this phone a till');
  expect(asked).not.toContain('POST /service-api/mobile-app/session');
});

test('a phone that was paired, where the shop cannot be asked then, tries that again and asks for no other code', async () => {
  wasPaired();
  const send = answeringAsKept();
  localStorage.clear();
  const weak = (async (path: string, init: RequestInit) => {
    if (path.includes('/settings')) throw new TypeError('no network');
    return send(path, init);
  }) as Send;
  const pairing = { identifier: 'lisa@example.com', code: '123456' };
  const place = await open(storeOf(), 'No connection.', weak, pairing);
  expect(place.querySelector('input[name=code]')).toBeNull();
  const names = [...place.querySelectorAll('button')].map(({ textContent }) => textContent);
  expect(names).toEqual(['Try again', 'Pair this phone anew']);
  expect(localStorage.getItem('/service-api/mobile-app/session')).not.toBeNull();
});

/** A platform that answers by the first part that an address contains. */
const answering = (answers: [part: string, answer: () => unknown][]): Send =>
  (async (path: string) => {
    const [, answer] = answers.find(([part]) => path.includes(part))!;
    const data = answer();
    return { ok: true, status: 200, headers: new Headers(), json: async () => ({ data }) };
  }) as never;

/** One that lets this phone in, and answers what the phone keeps. */
function answeringAsKept(): Send {
  const { staff, app } = JSON.parse(localStorage.getItem(PAIRED)!);
  return answering([
    ['session', () => ({ ...staff, access_token: 't', expires: 900_000 })],
    ['/settings', () => ({ default_currency: 'EUR' })],
    ['/mobile-app', () => app],
  ]);
}

test('a phone is signed out by two taps, and stays a till by any other', async () => {
  wasPaired();
  const place = await open(storeOf(), 'Sign this phone out', answeringAsKept());
  const tap = async (name: string, said: string) => {
    const says = saying(place, said);
    [...place.querySelectorAll('button')].find(({ textContent }) => textContent === name)!.click();
    await says;
  };
  await tap('Sign this phone out', 'Only with a new code');
  await tap('Stay signed in', 'Sign this phone out');
  expect(localStorage.getItem(PAIRED)).not.toBeNull();
  await tap('Sign this phone out', 'Only with a new code');
  await tap('Sign this phone out', 'Make this phone a till');
  expect(localStorage.getItem(PAIRED)).toBeNull();
});

test('a till that was left open learns what its shop has changed since', async () => {
  wasPaired();
  const app = (name: string) => ({
    config: { app_config: {}, hidden_fields: null },
    actions: [{ id: 'a', name, action_type: 'add_points', action_config: {}, form_fields: [] }],
    wallet_types: [],
  });
  let offered = 'Points';
  let currency = 'EUR';
  const staff = JSON.parse(localStorage.getItem(PAIRED)!).staff;
  const answers: [string, () => unknown][] = [
    ['session/refresh', () => ({ ...staff, access_token: 't', expires: 900_000 })],
    ['/settings', () => ({ default_currency: currency })],
    ['/mobile-app', () => app(offered)],
  ];
  const send = answering(answers);
  const known = (part: string) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (localStorage.getItem(PAIRED)?.includes(part)) resolve();
        else setTimeout(look);
      };
      look();
    });
  await open(storeOf(), 'Scan', send);
  await known('"Points"');
  [offered, currency] = ['Stamps', 'CHF'];
  const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 600_000);
  document.dispatchEvent(new Event('visibilitychange'));
  await known('"Stamps"');
  expect(JSON.parse(localStorage.getItem(PAIRED)!).currency).toBe('CHF');
  now.mockRestore();
});
