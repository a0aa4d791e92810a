/** @jest-environment jsdom */
import { App, type AppProps } from './app.ts';
import { loadLanguage } from './language.ts';
import type { PortalConfig, Reward } from './shapes.ts';
import { html, render } from './vendor/preact.js';

const config: PortalConfig = {
  workspace_name: 'Corner Coffee',
  workspace_slug: 'cafe',
  logo_url: null,
  welcome_title: null,
  welcome_subtitle: null,
  show_tier: true,
  show_rewards: true,
  show_redemption_history: true,
  show_referral: true,
  cta_label: null,
  privacy_url: null,
  terms_url: null,
};
const beans = {
  wallet_type_id: 'w-1',
  wallet_type_code: 'beans',
  wallet_type_name: 'Bean account',
  unit_singular_name: 'bean',
  unit_plural_name: 'beans',
};
const stamps = {
  wallet_type_id: 'w-2',
  wallet_type_code: 'stamps',
  wallet_type_name: 'Stamps',
  unit_singular_name: null,
  unit_plural_name: null,
};
const coffee: Reward = {
  id: 'r-1',
  name: 'Free coffee',
  description: null,
  image_url: null,
  cost_points: 50,
  wallet: beans,
  can_afford: true,
  is_locked: false,
  reason: null,
};

const redeemed = {
  id: 'x',
  reward_id: 'r-1',
  reward_name: 'Free coffee',
  cost_points: 50,
  wallet: beans,
  status: 'fulfilled',
  redeemed_at: '2026-01-31T10:00:00.000Z',
  coupon_code: 'C-ABC234',
  coupon_status: 'issued',
  used_at: null,
  handed_over: false,
};

type Answer = { status: number; body: unknown } | 'unreachable';
const data = (value: unknown): Answer => ({ status: 200, body: { data: value } });
const refused = (status: number, error: string): Answer => ({ status, body: { error } });
const NOTHING_REDEEMED: Answer = {
  status: 200,
  body: { data: [], meta: { total: 0, limit: 20, offset: 0 } },
};

/** A portal that answers as a test says, by `METHOD /path`; and keeps what it was asked. */
class FakePortal {
  readonly asked: {
    route: string;
    query: URLSearchParams;
    headers: Record<string, string>;
    body: unknown;
  }[] = [];
  readonly answers: Record<
    string,
    Answer | Promise<Answer> | ((query: URLSearchParams) => Answer)
  > = {
    'GET /me': data({
      id: 'c-1',
      first_name: 'Ann',
      last_name: null,
      email: 'ann@example.com',
      marketing_consent: false,
    }),
    'GET /balance': data([{ ...beans, active_balance: 60, pending_balance: 0 }]),
    'GET /passes': data([]),
    'GET /rewards/r-1': data({ ...coffee, availability_end: null }),
    'GET /tier': data({ tier_set: null, progress: null }),
    'GET /rewards': data([coffee]),
    'GET /referral': data({ enabled: false }),
    'GET /redemptions': NOTHING_REDEEMED,
  };

  send = (async (path: string, { method, headers, body }: RequestInit) => {
    const route = `${method} ${path.replace('/service-api/public/loyalty', '').split('?')[0]}`;
    this.asked.push({
      route,
      query: new URLSearchParams(path.split('?')[1]),
      headers: headers as Record<string, string>,
      body: body === undefined ? undefined : JSON.parse(String(body)),
    });
    const said = this.answers[route];
    const own = typeof said === 'function' ? said(this.asked.at(-1)!.query) : await said;
    const answer = own ?? refused(500, 'the test did not expect this');
    if (answer === 'unreachable') throw new TypeError('network');
    return { ok: answer.status < 400, status: answer.status, json: async () => answer.body };
  }) as unknown as typeof fetch;

  times(route: string): number {
    return this.asked.filter((each) => each.route === route).length;
  }
}

/** What `find` finds, once the page shows it. */
function shown<T>(find: () => T | null | undefined | false): Promise<T> {
  return new Promise((resolve) => {
    const look = (): boolean => {
      const found = find();
      if (found) resolve(found);
      return Boolean(found);
    };
    if (look()) return;
    const observer = new MutationObserver(() => look() && observer.disconnect());
    observer.observe(document, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
  });
}
const page = (): string => document.body.textContent ?? '';
const says = (text: string) => shown(() => page().includes(text));
const button = (name: string) =>
  shown(() =>
    [...document.querySelectorAll<HTMLElement>('button, a')].find(
      (each) => (each.getAttribute('aria-label') ?? each.textContent ?? '').trim() === name,
    ),
  );
/** The keys of what was asked for, in turn. */
const keysOf = (route: string) =>
  portal.asked
    .filter((each) => each.route === route)
    .map(({ headers }) => headers['Idempotency-Key']);
/** Once an element has the focus, which is no change of the page. */
const focused = (element: HTMLElement) =>
  new Promise<void>((resolve) => {
    element.addEventListener('focus', () => resolve(), { once: true });
    if (document.activeElement === element) resolve();
  });
const click = async (name: string) => (await button(name)).click();
/** Says yes to redeeming, as soon as the price of now is there. */
const agree = async () => {
  const yes = await button('Yes, redeem');
  await shown(() => yes.getAttribute('aria-disabled') !== 'true');
  yes.click();
};
async function fill(selector: string, value: string) {
  const input = await shown(() => document.querySelector<HTMLInputElement>(selector));
  input.value = value;
  input.form!.requestSubmit();
}

let portal: FakePortal;
let token: string | null;
async function open(props: Partial<AppProps> = {}) {
  const store = {
    read: () => token,
    write: (next: string) => {
      token = next;
    },
    clear: () => {
      token = null;
    },
  };
  const language = await loadLanguage('en', 'America/New_York');
  const all = { config, language, store, linkToken: null, send: portal.send, ...props };
  render(html`<${App} ...${all} />`, document.querySelector('#app')!);
}

/** A part of the page with all that it shows, nothing booked yet. */
async function openView(view: string) {
  portal.answers['GET /statement'] = {
    status: 200,
    body: { data: [], meta: { next_cursor: null, expiring: [] } },
  };
  location.hash = `#/${view}`;
  await open();
  await shown(() => document.querySelector('main h1') && !document.querySelector('.skeleton'));
}

beforeEach(() => {
  document.body.innerHTML = '<div id="app"></div>';
  location.hash = '';
  sessionStorage.clear();
  globalThis.scrollTo = () => undefined;
  // jsdom has the element, but not what makes it a dialog.
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close() {
    this.open = false;
  };
  portal = new FakePortal();
  token = null;
});
afterEach(() => render(html``, document.querySelector('#app')!));

describe('a visitor', () => {
  test('signs in with a mailed code', async () => {
    portal.answers['POST /login/request'] = data({ sent: true });
    portal.answers['POST /login/verify'] = refused(401, 'invalid credentials');
    await open();
    await fill('input[name=email]', 'ann@example.com');
    await fill('input[name=code]', '000 000');
    await says('This code is not right');
    (await button('Send a new code')).click();
    await shown(() => !page().includes('This code is not right'));
    portal.answers['POST /login/verify'] = data({ token: 'fresh' });
    await fill('input[name=code]', '123 456');
    await says('Hello, Ann');
    expect(token).toBe('fresh');
    expect(portal.asked.find(({ route }) => route === 'GET /me')!.headers['x-client-token']).toBe(
      'fresh',
    );
    const [wrong, right] = portal.asked.filter(({ route }) => route === 'POST /login/verify');
    expect([wrong!.body, right!.body]).toMatchObject([{ code: '000000' }, { code: '123456' }]);
  });

  test('is let in by a link, even if another was signed in before', async () => {
    token = 'somebody else’s';
    portal.answers['POST /session'] = data({ token: 'linked' });
    await open({ linkToken: 'sealed' });
    await says('Hello, Ann');
    expect(token).toBe('linked');
    expect(portal.asked[0]).toMatchObject({
      route: 'POST /session',
      body: { workspace_slug: 'cafe', link_token: 'sealed' },
    });
    expect(portal.asked[0]!.headers['x-client-token']).toBeUndefined();
  });

  test('with a dead link is shown the other way in', async () => {
    portal.answers['POST /session'] = refused(404, 'not_found');
    await open({ linkToken: 'sealed' });
    await says('This link is not valid');
    expect(document.querySelector('input[name=email]')).not.toBeNull();
  });

  test('finds what the shop says on privacy and terms, before and after signing in', async () => {
    const own = { ...config, privacy_url: 'https://shop.example/privacy' };
    await open({ config: own });
    const link = (await button('Privacy policy')) as HTMLAnchorElement;
    expect(link.href).toBe('https://shop.example/privacy');
    expect(page()).not.toContain('Terms');
    render(html``, document.querySelector('#app')!);
    token = 'token';
    await open({ config: { ...own, terms_url: 'https://shop.example/terms' } });
    await says('Hello, Ann');
    await button('Privacy policy');
    await button('Terms');
  });

  test('is mailed one code for two taps, and keeps the focus while it is on its way', async () => {
    let answer = () => {};
    portal.answers['POST /login/request'] = data({ sent: true });
    const send = (async (...request: Parameters<typeof fetch>) => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return portal.send(...request);
    }) as typeof fetch;
    await open({ send });
    await fill('input[name=email]', 'ann@example.com');
    const sender = (await button('Send me a code')) as HTMLButtonElement;
    sender.click();
    await shown(() => sender.getAttribute('aria-disabled') === 'true');
    expect(sender.disabled).toBe(false);
    sender.click();
    answer();
    await shown(() => document.querySelector('input[name=code]'));
    expect(portal.times('POST /login/request')).toBe(1);
  });

  test('comes back with the code to its field, though the phone dropped the page meanwhile', async () => {
    portal.answers['POST /login/request'] = data({ sent: true });
    portal.answers['POST /login/verify'] = data({ token: 'fresh' });
    await open();
    await fill('input[name=email]', 'ann@example.com');
    await shown(() => document.querySelector('input[name=code]'));
    render(html``, document.querySelector('#app')!);
    await open();
    await says('ann@example.com');
    await fill('input[name=code]', '123 456');
    await says('Hello, Ann');
    await click('Account');
    await click('Sign out');
    await shown(() => document.querySelector('input[name=email]'));
  });

  test('goes back to the address that was mistyped', async () => {
    portal.answers['POST /login/request'] = data({ sent: true });
    await open();
    await fill('input[name=email]', 'an@example.com');
    await click('Use another address');
    const input = await shown(() => document.querySelector<HTMLInputElement>('[name=email]'));
    await focused(input);
    expect(input.value).toBe('an@example.com');
  });

  test('learns when there is no connection', async () => {
    portal.answers['POST /login/request'] = 'unreachable';
    await open();
    await fill('input[name=email]', 'ann@example.com');
    await says('No connection');
  });
});

describe('a customer', () => {
  beforeEach(() => {
    token = 'token';
  });

  test('sees balance and rewards', async () => {
    await open();
    await says('60');
    await button('Redeem Free coffee');
    expect(page()).toContain('50 beans');
  });

  test('reads what things cost in the words of the wallet that pays, and which that is', async () => {
    const tea = { ...coffee, id: 'r-2', name: 'Tea', cost_points: 3, wallet: stamps };
    portal.answers['GET /rewards'] = data([{ ...coffee, cost_points: 1 }, tea]);
    portal.answers['GET /balance'] = data([
      { ...beans, active_balance: 60, pending_balance: 1 },
      { ...stamps, active_balance: 9, pending_balance: 0 },
    ]);
    portal.answers['GET /redemptions'] = {
      status: 200,
      body: {
        data: [{ ...redeemed, cost_points: 1 }],
        meta: { total: 1, limit: 20, offset: 0 },
      },
    };
    await open();
    await says('1 bean more on the way');
    await button('Redeem Tea');
    await shown(() => page().includes('1 bean (Bean account)'));
    expect(page()).toContain('3 Stamps');
    await click('Redeem Free coffee');
    await says('This uses 1 bean of Bean account.');
    await click('Cancel');
    location.hash = '#/history';
    await shown(() => /Jan 31, 2026, \d+:\d\d.[AP]M · 1 bean/.test(page()));
  });

  test('cannot call back what is being redeemed, and reads what became of it', async () => {
    const route = 'POST /rewards/r-1/redeem';
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { send } = portal;
    portal.answers[route] = data({ ...redeemed, redemption_id: 'x' });
    await open({
      send: (async (path, init) => {
        const reply = await send(path, init);
        if (init?.method === 'POST') await answered;
        return reply;
      }) as typeof fetch,
    });
    await click('Redeem Free coffee');
    await agree();
    const cancel = await button('Cancel');
    await shown(() => cancel.getAttribute('aria-disabled') === 'true');
    cancel.click();
    (await button('Close')).click();
    answer();
    await says('C-ABC234');
    expect(portal.times(route)).toBe(1);
  });

  test('sees how far a reward is by the wallet that pays for it', async () => {
    const tea = { ...coffee, cost_points: 12.5, wallet: stamps, can_afford: false };
    portal.answers['GET /rewards'] = data([{ ...tea, reason: 'insufficient_points' }]);
    portal.answers['GET /balance'] = data([
      { ...beans, active_balance: 60, pending_balance: 0 },
      { ...stamps, active_balance: 10.1, pending_balance: 0 },
    ]);
    await open();
    await says('2.4 Stamps to go');
  });

  test('reads the whole of a reward, and redeems it from there', async () => {
    const text = `Freshly brewed. ${'Order two days ahead. '.repeat(40)}`.trim();
    portal.answers['GET /rewards'] = data([{ ...coffee, description: text }]);
    portal.answers['GET /rewards/r-1'] = data({
      ...coffee,
      // Of a program: the last day is the 24th, as the console shows it.
      availability_end: '2026-12-25T00:00:00-05:00',
    });
    await open();
    await click('Details of Free coffee');
    await shown(() => document.querySelector('dialog .reward-whole')?.textContent === text);
    await says('Available until Dec 24, 2026');
    await click('Redeem');
    await says('Redeem Free coffee?');
    expect(document.querySelectorAll('dialog')).toHaveLength(1);
    expect(document.querySelector('dialog .reward-whole')!.textContent).toBe(text);
  });

  test('reads what came, went, and goes next, wallet by wallet and page by page', async () => {
    portal.answers['GET /balance'] = data([
      { ...beans, active_balance: 60, pending_balance: 0 },
      { ...stamps, active_balance: 9, pending_balance: 0 },
    ]);
    const entry = {
      id: 'e-3',
      type: 'spend',
      status: 'active',
      amount: -50,
      balance_after: 60,
      description: null,
      expires_at: null,
      created_at: '2026-03-01T10:00:00.000Z',
    };
    const earned = {
      ...entry,
      id: 'e-2',
      type: 'earn',
      amount: 110,
      balance_after: 110,
      description: 'Birthday present',
      // Midnight in the shop: good until the day before.
      expires_at: '2027-02-02T00:00:00-05:00',
    };
    const pageOf = (rows: unknown[], next_cursor: string | null): Answer => ({
      status: 200,
      body: {
        data: rows,
        meta: { next_cursor, expiring: [{ amount: 1, expires_at: '2027-01-01T00:00:00-05:00' }] },
      },
    });
    portal.answers['GET /statement'] = pageOf([entry, earned], 'more');
    await open();
    await click('All activity');
    await says('Birthday present');
    expect(page()).toContain('−50');
    expect(page()).toContain('+110');
    expect(page()).toContain('Balance: 60 beans');
    expect(page()).toContain('Valid until Feb 1, 2027');
    await says('Dec 31, 20261 bean');
    let bring: (answer: Answer) => void = () => {};
    portal.answers['GET /statement'] = new Promise((resolve) => {
      bring = resolve;
    });
    await click('Show more');
    await click('Loading…');
    bring(pageOf([{ ...earned, id: 'e-1', description: 'First' }], null));
    await says('First');
    expect(document.querySelectorAll('.history-row')).toHaveLength(3);
    portal.answers['GET /statement'] = pageOf(
      [{ ...earned, id: 's-1', description: 'Stamp' }],
      null,
    );
    await click('Stamps');
    await says('Balance: 110 Stamps');
    const queries = portal.asked.filter(({ route }) => route === 'GET /statement');
    expect(
      queries.map(({ query }) => [query.get('wallet_type_code'), query.get('cursor')]),
    ).toEqual([
      ['beans', null],
      ['beans', 'more'],
      ['stamps', null],
    ]);
  });

  test('adds the card again, to the wallets that take it, and learns how to keep it where none does', async () => {
    const card = { id: 'p-1', name: 'Card', apple_pass_url: null, google_pass_url: null };
    portal.answers['GET /passes'] = data([card]);
    location.hash = '#/account';
    await open();
    await button('Sign out');
    await says('This card cannot go into the wallet of this phone.');
    expect(page()).not.toContain('Add to');
    portal.answers['GET /passes'] = data([
      { ...card, google_pass_url: 'https://laurel.example/p/g' },
    ]);
    render(html``, document.querySelector('#app')!);
    await open();
    const link = (await button('Add to Google Wallet')) as HTMLAnchorElement;
    expect(link.href).toBe('https://laurel.example/p/g');
    expect(page()).not.toContain('Apple');
  });

  test('asks for a picture that cannot be had no more often where its reward is shown again', async () => {
    const image_url = 'https://shop.example/gone.png';
    portal.answers['GET /rewards'] = data([{ ...coffee, image_url }]);
    await open();
    const picture = await shown(() => document.querySelector('img.reward-picture'));
    picture.dispatchEvent(new Event('error'));
    await shown(() => document.querySelector('.reward-letter'));
    location.hash = '#/rewards';
    await shown(() => document.querySelector('h1')?.textContent === 'Rewards');
    await shown(() => document.querySelector('.reward-letter'));
    expect(document.querySelector('img.reward-picture')).toBeNull();
  });

  test('meets headings in order on every page', async () => {
    for (const view of ['home', 'rewards', 'statement', 'history', 'account']) {
      await openView(view);
      const levels = [...document.querySelectorAll('main h1, main h2, main h3')].map((heading) =>
        Number(heading.tagName[1]),
      );
      const jumps = levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1);
      expect([view, jumps]).toEqual([view, []]);
      render(html``, document.querySelector('#app')!);
    }
  });

  test('is asked before points are used, and shown the coupon for them', async () => {
    portal.answers['POST /rewards/r-1/redeem'] = data({
      redemption_id: 'x',
      status: 'fulfilled',
      reward_name: 'Free coffee',
      coupon_code: 'C-ABC234',
      coupon_status: 'issued',
    });
    await open();
    await click('Redeem Free coffee');
    await says('This uses 50 beans.');
    expect(portal.times('POST /rewards/r-1/redeem')).toBe(0);
    await agree();
    await says('C-ABC234');
    await shown(() => document.querySelector('svg.qr path'));
    await shown(() => portal.times('GET /balance') === 2 && portal.times('GET /rewards') === 2);
  });

  test('is shown when a reward without a code was redeemed, and by what the till finds it', async () => {
    const redemption = { ...redeemed, redemption_id: 'x', coupon_code: null, coupon_status: null };
    portal.answers['POST /rewards/r-1/redeem'] = data(redemption);
    const links = { apple_pass_url: null, google_pass_url: null };
    portal.answers['GET /passes'] = data([
      { id: 'p-1', name: 'Card', barcode_value: 'walLT-7', ...links },
    ]);
    await open();
    await click('Redeem Free coffee');
    await agree();
    await shown(() => /Redeemed on Jan 31, 2026, \d+:\d\d/.test(page()));
    await shown(() => document.querySelector('.coupon-code')?.textContent === 'walLT-7');
    await shown(() => document.querySelector('svg.qr path'));
    portal.answers['GET /passes'] = data([]);
    portal.answers['GET /redemptions'] = {
      status: 200,
      body: { data: [redemption], meta: { total: 1, limit: 20, offset: 0 } },
    };
    render(html``, document.querySelector('#app')!);
    location.hash = '#/history';
    await open();
    await click('Show code of Free coffee');
    await says('At the counter, say your name or e-mail address');
  });

  test('asks for the same again when the answer was lost, and anew after a refusal', async () => {
    const route = 'POST /rewards/r-1/redeem';
    portal.answers[route] = 'unreachable';
    await open();
    await click('Redeem Free coffee');
    await agree();
    await says('No connection');
    portal.answers[route] = refused(400, 'insufficient_points');
    await agree();
    await says('Not enough points yet');
    await agree();
    await shown(() => portal.times(route) === 3);
    const keys = keysOf(route);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  test('asks for the same again when the answer was lost and the question was closed, and for another once it came', async () => {
    const route = 'POST /rewards/r-1/redeem';
    portal.answers[route] = 'unreachable';
    await open();
    await click('Redeem Free coffee');
    await agree();
    await says('No connection');
    await click('Cancel');
    portal.answers[route] = data({ ...redeemed, redemption_id: 'x' });
    for (const _ of ['what may have been redeemed', 'another one']) {
      await click('Redeem Free coffee');
      await agree();
      await shown(() => document.querySelector('dialog .coupon-code'));
      await click('Close');
      await shown(() => !document.querySelector('dialog'));
    }
    const keys = keysOf(route);
    expect(keys).toHaveLength(3);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  test('is asked for a yes to the price of now, not to that of when the page was opened', async () => {
    portal.answers['GET /rewards/r-1'] = data({ ...coffee, cost_points: 80 });
    await open();
    await click('Redeem Free coffee');
    await says('This uses 80 beans.');
  });

  test('can say no yes before the price of now is there, and asks for it again where it could not be had', async () => {
    const route = 'POST /rewards/r-1/redeem';
    portal.answers[route] = data({ ...redeemed, redemption_id: 'x' });
    let answer = (_: Answer): void => undefined;
    portal.answers['GET /rewards/r-1'] = new Promise<Answer>((resolve) => {
      answer = resolve;
    });
    await open();
    await click('Redeem Free coffee');
    (await button('Yes, redeem')).click();
    answer('unreachable');
    await says('No connection');
    portal.answers['GET /rewards/r-1'] = data({ ...coffee, cost_points: 80 });
    await click('Try again');
    await says('This uses 80 beans.');
    expect(portal.times(route)).toBe(0);
    await agree();
    await says('C-ABC234');
    expect(portal.times(route)).toBe(1);
  });

  test('asks for a page once, however often its button is tapped, and reads no movement twice', async () => {
    const entry = {
      type: 'earn',
      status: 'active',
      amount: 1,
      balance_after: 1,
      description: null,
      expires_at: null,
      created_at: '2026-03-01T10:00:00.000Z',
    };
    const pageOf = (id: string, next_cursor: string | null): Answer => ({
      status: 200,
      body: { data: [{ ...entry, id, description: id }], meta: { next_cursor, expiring: [] } },
    });
    portal.answers['GET /statement'] = pageOf('newest', 'more');
    location.hash = '#/statement';
    await open();
    const more = await button('Show more');
    portal.answers['GET /statement'] = pageOf('oldest', 'still more');
    more.click();
    more.click();
    await says('oldest');
    expect(portal.times('GET /statement')).toBe(2);
    portal.answers['GET /statement'] = pageOf('first of all', null);
    await click('Show more');
    await says('first of all');
    expect(document.querySelectorAll('.history-row')).toHaveLength(3);
  });

  test('sees the figures of now when they come back to a page that was left open, and as they go on in it', async () => {
    const wallet = { ...beans, pending_balance: 0 };
    await open();
    await shown(() => document.querySelector('.balance-number')?.textContent === '60');
    const opened = Date.now();
    const now = jest.spyOn(Date, 'now');
    portal.answers['GET /balance'] = data([{ ...wallet, active_balance: 71 }]);
    now.mockReturnValue(opened + 60_000);
    document.dispatchEvent(new Event('visibilitychange'));
    await shown(() => document.querySelector('.balance-number')?.textContent === '71');
    portal.answers['GET /balance'] = data([{ ...wallet, active_balance: 72 }]);
    // What was asked for a moment ago is not asked for again.
    document.dispatchEvent(new Event('visibilitychange'));
    now.mockReturnValue(opened + 120_000);
    location.hash = '#/rewards';
    await shown(() => document.querySelector('.pill strong')?.textContent === '72');
    expect(portal.times('GET /balance')).toBe(3);
    now.mockRestore();
  });

  /** Comes back to a page that lay open for a minute. */
  const comeBack = () => {
    const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
    document.dispatchEvent(new Event('visibilitychange'));
    now.mockRestore();
  };
  const stale = () => document.querySelector('main .stale');

  test('reads of when a balance is that could not be had anew, once for all that stands there, and tries again', async () => {
    await open();
    await shown(() => document.querySelector('.balance-number')?.textContent === '60');
    await button('Redeem Free coffee');
    expect(stale()).toBeNull();
    portal.answers['GET /balance'] = 'unreachable';
    portal.answers['GET /rewards'] = 'unreachable';
    const opened = new Intl.DateTimeFormat('en', { dateStyle: 'medium' }).format(new Date());
    comeBack();
    await says(`As of ${opened}`);
    await shown(() => portal.times('GET /rewards') === 2);
    expect(document.querySelectorAll('.stale')).toHaveLength(1);
    expect(document.querySelector('.balance-number')!.textContent).toBe('60');
    portal.answers['GET /balance'] = data([{ ...beans, active_balance: 71, pending_balance: 0 }]);
    portal.answers['GET /rewards'] = data([coffee]);
    const again = await button('Try again');
    again.focus();
    again.click();
    await shown(() => document.querySelector('.balance-number')?.textContent === '71');
    await shown(() => !stale());
    await focused(document.querySelector<HTMLElement>('main h1')!);
    // What was had anew is not asked for once more.
    expect([portal.times('GET /balance'), portal.times('GET /referral')]).toEqual([3, 2]);
  });

  test('reads that points were used by a balance of before where that of now cannot be had', async () => {
    portal.answers['POST /rewards/r-1/redeem'] = data({ ...redeemed, redemption_id: 'x' });
    await open();
    await click('Redeem Free coffee');
    portal.answers['GET /balance'] = 'unreachable';
    await agree();
    await says('C-ABC234');
    await shown(stale);
  });

  test.each([
    ['rewards', 'GET /rewards'],
    ['statement', 'GET /statement'],
    ['history', 'GET /redemptions'],
    ['account', 'GET /me'],
  ])('reads of when it is what the page %s shows and could not have anew', async (view, route) => {
    await openView(view);
    portal.answers[route] = refused(503, 'a part of the platform is not available');
    comeBack();
    await shown(stale);
  });

  test('reads no page of its activity behind a first one that is newer, where an entry could be on neither', async () => {
    const pageOf = (ids: string[], next_cursor: string | null): Answer => ({
      status: 200,
      body: {
        data: ids.map((id) => ({
          ...{ id, type: 'earn', status: 'active', amount: 1, balance_after: 1 },
          ...{
            description: `Sale ${id}`,
            expires_at: null,
            created_at: '2026-03-01T10:00:00.000Z',
          },
        })),
        meta: { next_cursor, expiring: [] },
      },
    });
    const sales = () =>
      [...document.querySelectorAll('.history-row h2')].map(({ textContent }) => textContent);
    portal.answers['GET /statement'] = pageOf(['3', '2'], 'after 2');
    location.hash = '#/statement';
    await open();
    await says('Sale 2');
    portal.answers['GET /statement'] = 'unreachable';
    comeBack();
    await shown(stale);
    portal.answers['GET /statement'] = pageOf(['1'], null);
    await click('Show more');
    await says('Sale 1');
    expect(sales()).toEqual(['Sale 3', 'Sale 2', 'Sale 1']);
    portal.answers['GET /statement'] = pageOf(['4', '3'], 'after 3');
    await click('Try again');
    await says('Sale 4');
    expect(sales()).toEqual(['Sale 4', 'Sale 3']);
    portal.answers['GET /statement'] = pageOf(['2', '1'], null);
    await click('Show more');
    await says('Sale 1');
    expect(sales()).toEqual(['Sale 4', 'Sale 3', 'Sale 2', 'Sale 1']);
  });

  test('reads above a code of when it is known to be good, where that cannot be asked', async () => {
    portal.answers['GET /redemptions'] = historyOf(redeemed);
    location.hash = '#/history';
    await open();
    await button('Show code of Free coffee');
    portal.answers['GET /redemptions'] = 'unreachable';
    await click('Show code of Free coffee');
    await shown(() => dialog()?.querySelector('.stale'));
    expect(dialog()!.querySelector('.coupon-code')!.textContent).toBe('C-ABC234');
  });

  test('reads that the shop has closed the page while it lay open', async () => {
    await open();
    await shown(() => document.querySelector('.balance-number'));
    portal.answers['GET /balance'] = refused(404, 'portal not enabled');
    comeBack();
    await shown(() => stale()?.textContent?.includes('The shop has closed this page'));
  });

  test('finds the codes of what was redeemed', async () => {
    const used = {
      ...redeemed,
      id: 'y',
      coupon_code: 'C-USED22',
      used_at: '2026-02-01T10:00:00.000Z',
      handed_over: true,
    };
    portal.answers['GET /redemptions'] = {
      status: 200,
      body: { data: [redeemed, used], meta: { total: 2, limit: 20, offset: 0 } },
    };
    location.hash = '#/history';
    await open();
    await says('C-ABC234');
    expect(page()).toContain('Used on Feb 1, 2026');
    await click('Show code of Free coffee');
    await shown(() => document.querySelector('dialog .coupon-code'));
    expect(document.title).toBe('History · Corner Coffee');
    expect(document.querySelectorAll('.history .button')).toHaveLength(1);
  });

  const historyOf = (...rows: object[]): Answer => ({
    status: 200,
    body: { data: rows, meta: { total: rows.length, limit: 20, offset: 0 } },
  });
  const used = { ...redeemed, used_at: '2026-02-01T10:00:00.000Z', handed_over: true };
  const dialog = () => document.querySelector('dialog');

  test('is shown no code as good that was used since the list came', async () => {
    portal.answers['GET /redemptions'] = historyOf(redeemed);
    location.hash = '#/history';
    await open();
    const show = await button('Show code of Free coffee');
    portal.answers['GET /redemptions'] = historyOf(used);
    show.click();
    await shown(() => dialog()?.textContent?.includes('Used on Feb 1, 2026'));
    expect(document.querySelector('dialog .coupon-code')).toBeNull();
    await click('Close');
    await shown(() => !dialog());
    expect(document.querySelector('.history .button')).toBeNull();
  });

  test('sees as used what was used while its code was shown, from the list and once it was redeemed', async () => {
    portal.answers['GET /redemptions'] = historyOf(redeemed);
    location.hash = '#/history';
    await open();
    await click('Show code of Free coffee');
    await shown(() => document.querySelector('dialog .coupon-code'));
    portal.answers['GET /redemptions'] = historyOf(used);
    await click('Close');
    await shown(() => !document.querySelector('.history .button'));
    expect(page()).toContain('Used on Feb 1, 2026');

    portal.answers['POST /rewards/r-1/redeem'] = data({ ...redeemed, redemption_id: 'z' });
    portal.answers['GET /redemptions'] = historyOf({ ...redeemed, id: 'z' }, used);
    location.hash = '#/rewards';
    await click('Redeem Free coffee');
    await agree();
    await shown(() => document.querySelector('dialog .coupon-code'));
    portal.answers['GET /redemptions'] = historyOf({ ...used, id: 'z' }, used);
    await click('Close');
    location.hash = '#/history';
    await shown(() => document.querySelectorAll('.badge-used').length === 2);
  });

  test('is not shown as new what an answer of before brought, once it was used', async () => {
    portal.answers['POST /rewards/r-1/redeem'] = data({ ...redeemed, redemption_id: 'x' });
    portal.answers['GET /redemptions'] = historyOf(used);
    await open();
    await click('Redeem Free coffee');
    await agree();
    await shown(() => dialog()?.textContent?.includes('Used on Feb 1, 2026'));
    expect(document.querySelector('dialog .coupon-code')).toBeNull();
  });

  /** Opens the history of so many redemptions; what is done to the rows is what is answered from then on. */
  const openHistoryOf = async (count: number): Promise<object[]> => {
    const rows: object[] = Array.from({ length: count }, (_, index) => ({
      ...redeemed,
      id: `${index}`,
    }));
    portal.answers['GET /redemptions'] = (query) => {
      const offset = Number(query.get('offset'));
      const meta = { total: rows.length, limit: 20, offset };
      return { status: 200, body: { data: rows.slice(offset, offset + 20), meta } };
    };
    location.hash = '#/history';
    await open();
    return rows;
  };
  const shownRows = () => document.querySelectorAll('.history-row').length;

  test('sees how things stand now as far back as they have paged, when they come back', async () => {
    const rows = await openHistoryOf(41);
    await click('Show more');
    await shown(() => shownRows() === 40);
    await click('Show more');
    await shown(() => shownRows() === 41);
    rows[40] = { ...used, id: '40' };
    rows.unshift({ ...redeemed, id: 'new' });
    const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
    document.dispatchEvent(new Event('visibilitychange'));
    await says('Used on Feb 1, 2026');
    now.mockRestore();
    expect(shownRows()).toBe(42);
  });

  test('sees the last of the rows they have paged to as it is now, though newer ones move it on', async () => {
    const rows = await openHistoryOf(60);
    await click('Show more');
    await shown(() => shownRows() === 40);
    rows[39] = { ...used, id: '39' };
    rows.unshift({ ...redeemed, id: 'new' });
    const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
    document.dispatchEvent(new Event('visibilitychange'));
    await shown(() => shownRows() === 41);
    now.mockRestore();
    expect(document.querySelectorAll('.history-row')[40]!.textContent).toContain('Used on');
    await click('Show more');
    await shown(() => shownRows() === 61);
  });

  test('goes on at what a code was of, once its button is gone, and is not called back from elsewhere', async () => {
    portal.answers['GET /redemptions'] = historyOf(redeemed);
    location.hash = '#/history';
    await open();
    const useWhileShown = async (meanwhile?: () => void) => {
      const show = await button('Show code of Free coffee');
      show.focus();
      show.click();
      await shown(() => document.querySelector('dialog[open] .coupon-code'));
      let answer: (of: Answer) => void = () => undefined;
      portal.answers['GET /redemptions'] = new Promise<Answer>((resolve) => {
        answer = resolve;
      });
      await click('Close');
      await shown(() => !dialog());
      await focused(show);
      meanwhile?.();
      answer(historyOf(used));
      await shown(() => !document.querySelector('.history .button'));
    };
    await useWhileShown();
    await focused(document.querySelector<HTMLElement>('.history-row h2')!);

    portal.answers['GET /redemptions'] = historyOf(redeemed);
    const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
    document.dispatchEvent(new Event('visibilitychange'));
    await shown(() => document.querySelector('.history .button'));
    now.mockRestore();
    const aside = () => document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }));
    await useWhileShown(aside);
    expect(document.activeElement).toBe(document.body);
  });

  test('reads of a reward whether it can be had now, which the list may have said otherwise', async () => {
    portal.answers['GET /rewards/r-1'] = data({
      ...coffee,
      can_afford: false,
      reason: 'insufficient_points',
      cost_points: 80,
      availability_end: null,
    });
    await open();
    await click('Details of Free coffee');
    await shown(() => dialog()?.textContent?.includes('80'));
    expect(
      [...dialog()!.querySelectorAll('.actions button')].map((one) => one.textContent),
    ).toEqual(['Close']);
  });

  test('sees the rest of the page when a part of it fails, and tries that part again', async () => {
    portal.answers['GET /tier'] = refused(503, 'a part of the platform is not available');
    await open();
    await button('Redeem Free coffee');
    portal.answers['GET /tier'] = data({
      tier_set: { name: 'Club', tiers: [], conditions: [{ type: 'total_spending' }] },
      progress: {
        current_tier: { id: 't', name: 'Bronze', color: null, benefits: [] },
        next_tier: { id: 'u', name: 'Gold', color: null, benefits: [] },
        progress_to_next: 0.25,
        metric: 'total_spending',
        currency: 'EUR',
        metric_value: 25,
        metric_target: 100,
      },
    });
    await click('Try again');
    await says('€75.00 to go until Gold');
    expect(document.querySelector('[role=progressbar]')!.getAttribute('aria-valuenow')).toBe('25');
  });

  test.each([
    ['beans', [{ type: 'total_earned', wallet_type_code: 'beans' }], '75 beans to go until Gold'],
    ['whatever was earned, in the one wallet', [{ type: 'total_earned' }], '75 beans to go'],
    [
      'another wallet',
      [{ type: 'total_earned', wallet_type_code: 'stars' }],
      '75 to go until Gold',
    ],
    ['purchases', [{ type: 'transaction_count' }], '75 purchases to go until Gold'],
  ])('sees the way to the next level in what counts: %s', async (_, conditions, sentence) => {
    portal.answers['GET /tier'] = data({
      tier_set: { name: 'Club', tiers: [], conditions },
      progress: {
        current_tier: null,
        next_tier: { id: 'u', name: 'Gold', color: null, benefits: [] },
        progress_to_next: 0.25,
        metric: conditions[0]!.type,
        currency: null,
        metric_value: 25,
        metric_target: 100,
      },
    });
    await open();
    await says(sentence);
  });

  test('is signed out when the token is worth nothing any more', async () => {
    portal.answers['GET /me'] = refused(401, 'invalid token');
    await open();
    await says('You have been signed out');
    expect(token).toBeNull();
  });

  test('gives consent, and takes it back', async () => {
    portal.answers['POST /marketing-consent'] = data({ marketing_consent: true });
    location.hash = '#/account';
    await open();
    const box = await shown(() => document.querySelector<HTMLInputElement>('input[role=switch]'));
    box.click();
    await says('Saved');
    expect(portal.asked.at(-2)).toMatchObject({
      route: 'POST /marketing-consent',
      body: { consent: true },
    });
  });

  test('is signed out here at once, and at the platform too', async () => {
    portal.answers['POST /logout'] = 'unreachable';
    location.hash = '#/account';
    await open();
    await click('Sign out');
    await shown(() => document.querySelector('input[name=email]'));
    expect(token).toBeNull();
    // Those who do not see the page hear where they are by now.
    await focused(await shown(() => document.querySelector<HTMLElement>('.sign-in h1')));
    expect(document.title).toBe('Corner Coffee');
    expect(portal.asked.at(-1)).toMatchObject({
      route: 'POST /logout',
      headers: { 'x-client-token': 'token' },
    });
  });

  test('is erased only with the address that is stored, and then is unknown here', async () => {
    portal.answers['POST /erase'] = refused(400, 'verification_failed');
    location.hash = '#/account';
    await open();
    await click('Erase my data');
    await fill('dialog input[name=email]', 'wrong@example.com');
    await says('This does not match');
    portal.answers['POST /erase'] = data({ success: true });
    await fill('dialog input[name=email]', 'ann@example.com');
    await says('Your data was erased');
    expect(token).toBeNull();
  });

  test('does not leave an erasure that is under way, which could not be called back', async () => {
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const send = (async (path: string, init: RequestInit) => {
      if (path.endsWith('/erase')) await held;
      return portal.send(path, init);
    }) as typeof fetch;
    portal.answers['POST /erase'] = refused(400, 'verification_failed');
    location.hash = '#/account';
    await open({ send });
    await click('Erase my data');
    await fill('dialog input[name=email]', 'ann@example.com');
    const cancel = await button('Cancel');
    await shown(() => cancel.getAttribute('aria-disabled') === 'true');
    cancel.click();
    answer();
    await says('This does not match');
    cancel.click();
    await shown(() => document.querySelector('dialog') === null);
  });

  test.each([
    [404, 'portal not enabled'],
    [403, 'the workspace was deleted'],
  ])(
    'reads that the shop has closed the page, where trying again is of no use',
    async (status, why) => {
      portal.answers['GET /balance'] = refused(status, why);
      location.hash = '#/statement';
      await open();
      await says('The shop has closed this page');
    },
  );

  test('is not shown what the shop leaves out', async () => {
    await open({ config: { ...config, show_rewards: false, show_redemption_history: false } });
    await says('Hello, Ann');
    expect(portal.times('GET /rewards') + portal.times('GET /redemptions')).toBe(0);
    const views = [...document.querySelectorAll('nav a')].map((each) => each.textContent!.trim());
    expect(views).toEqual(['Home', 'Activity', 'Account']);
  });
});
