import { clockSkewMs } from './clock';
import { Refused, sendJson } from './http';
import { createLanguage, languageOf, languagesOf } from './language';
import { newKey } from './new-key';
import { posterText } from './poster';
import { createPageSession, type SignedIn } from './session';

const MINUTE_MS = 60_000;

beforeAll(() => {
  // Every session here is another browser's; an open channel would also keep the tests from ending.
  Object.assign(globalThis, { BroadcastChannel: undefined });
});

function answer(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers });
}
const refused = (status: number, code: string) =>
  answer(status, { errors: [{ message: code, extensions: { code } }] });

/** A platform that hands out tokens t1, t2 ... and takes only the last one. */
function platform() {
  const calls: string[] = [];
  let issued = 0;
  let hasSession = true;
  let away = false;
  const send = (async (path: string, { method, headers }: RequestInit) => {
    calls.push(`${method} ${path}`);
    if (away) throw new TypeError('network');
    if (path.startsWith('/auth/session')) {
      if (method === 'DELETE') hasSession = false;
      if (!hasSession) return method === 'DELETE' ? answer(200, {}) : refused(401, 'INVALID_TOKEN');
      issued += 1;
      return answer(200, { data: { access_token: `t${issued}`, expires: 15 * MINUTE_MS } });
    }
    const { Authorization } = headers as Record<string, string>;
    if (Authorization !== `t${issued}`) return refused(401, 'TOKEN_EXPIRED');
    return answer(200, { data: Authorization });
  }) as unknown as typeof fetch;
  return {
    calls,
    send,
    revokeAccess: () => {
      issued += 1;
    },
    end: () => {
      hasSession = false;
    },
    goAway: () => {
      away = true;
    },
  };
}

function sessionOn(it: ReturnType<typeof platform>) {
  const onEnded = jest.fn();
  const clock = { now: 0 };
  const session = createPageSession<SignedIn>({
    place: '/auth/session',
    carry: (token) => ({ Authorization: token }),
    onEnded,
    send: it.send,
    now: () => clock.now,
  });
  return { session, onEnded, clock };
}
const refreshes = ({ calls }: { calls: string[] }) =>
  calls.filter((call) => call === 'POST /auth/session/refresh').length;

test.each([
  ['an answer that broke off', new Response('{"data":', { status: 200 })],
  ['the page of a network that wants a login', new Response('<html>', { status: 200 })],
])('%s is none: whether anything was done stays open', async (_, response) => {
  const asked = sendJson('POST', '/a', { body: {}, send: async () => response });
  await expect(asked).rejects.toMatchObject({ status: 0, isOpen: true });
});

test('a page learns from answers how far the clock of its device is off, and takes none for no answer', async () => {
  const send = (date: Date, body = '{}', tookMs = 0) => {
    const headers = { date: date.toUTCString() };
    const answer = async () => {
      if (tookMs > 0) jest.spyOn(Date, 'now').mockReturnValue(Date.now() + tookMs);
      return new Response(body, { headers });
    };
    return sendJson('GET', '/a', { send: answer }).finally(() => jest.restoreAllMocks());
  };
  const hence = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS);
  await send(hence(-10));
  expect(Math.round(clockSkewMs() / MINUTE_MS)).toBe(-10);
  await expect(send(hence(60), '<html>')).rejects.toMatchObject({ status: 0 });
  expect(Math.round(clockSkewMs() / MINUTE_MS)).toBe(-10);
  /** To a few seconds: headers have whole ones, and this machine may be busy. */
  const expectNear = (ms: number) => expect(Math.abs(clockSkewMs() - ms)).toBeLessThan(3_000);
  await send(hence(-0.5));
  expectNear(-30_000);
  await send(hence(0));
  expectNear(0);
  await send(hence(-0.2));
  expectNear(-12_000);
  // That it is off by twelve seconds fits to an answer that took fifteen.
  await send(hence(-0.2), '{}', 15_000);
  expectNear(-12_000);
  await send(hence(0.25), '{}', 15_000);
  expectNear(0);
});

test('who asks hears of the headers of the answer, and of none that is a refusal', async () => {
  const heard: (string | null)[] = [];
  const ask = (response: Response) =>
    sendJson('POST', '/a', {
      send: async () => response,
      onAnswer: (headers) => heard.push(headers.get('operation-id')),
    });
  await ask(answer(200, {}, { 'Operation-Id': 'one' }));
  await ask(new Response(null, { status: 204, headers: { 'Operation-Id': 'two' } }));
  const no = answer(400, { errors: [] }, { 'Operation-Id': 'three' });
  await expect(ask(no)).rejects.toMatchObject({ status: 400 });
  const broken = new Response('{"data":', { headers: { 'Operation-Id': 'four' } });
  await expect(ask(broken)).rejects.toMatchObject({ status: 0 });
  expect(heard).toEqual(['one', 'two']);
});

test('an answer without a body is empty', async () => {
  const send = async () => new Response(null, { status: 204 });
  expect(await sendJson('DELETE', '/a', { send })).toEqual({});
});

describe('the session of a page', () => {
  test('is renewed once for any number of calls, and before it ends', async () => {
    const it = platform();
    const { session, clock } = sessionOn(it);
    await Promise.all([1, 2, 3].map(() => session.call('GET', '/service-api/a')));
    expect(refreshes(it)).toBe(1);
    clock.now = 14 * MINUTE_MS;
    await session.call('GET', '/service-api/a');
    expect(refreshes(it)).toBe(2);
  });

  test('is renewed behind a call whose token has died early, and the call is made again', async () => {
    const it = platform();
    const { session } = sessionOn(it);
    await session.signIn({ email: 'a', password: 'b' });
    it.revokeAccess();
    const onAnswer = jest.fn();
    expect(await session.call('GET', '/service-api/a', { onAnswer })).toEqual({ data: 't3' });
    expect(onAnswer).toHaveBeenCalledTimes(1);
  });

  test('of somebody else, who signed in elsewhere in the browser, is none for the page', async () => {
    const tokens = ['ann', 'ann', 'bo', 'ann'];
    const carried: string[] = [];
    const send = (async (path: string, { headers }: RequestInit) => {
      const { Authorization: access } = headers as Record<string, string>;
      if (access !== undefined) carried.push(access);
      if (!path.startsWith('/auth/session')) return answer(200, {});
      const who = tokens.shift()!;
      return answer(200, { data: { access_token: `t-${who}`, expires: 15 * MINUTE_MS, who } });
    }) as unknown as typeof fetch;
    const clock = { now: 0 };
    const session = createPageSession<SignedIn & { who: string }>({
      place: '/auth/session',
      carry: (token) => ({ Authorization: token }),
      onEnded: () => undefined,
      personOf: ({ who }) => who,
      send,
      now: () => clock.now,
    });
    await session.signIn({});
    clock.now += 15 * MINUTE_MS;
    await session.call('GET', '/service-api/a');
    clock.now += 15 * MINUTE_MS;
    await expect(session.token()).rejects.toMatchObject({ status: 401 });
    await session.signIn({});
    await session.call('GET', '/service-api/a');
    expect(carried).toEqual(['t-ann', 't-ann']);
  });

  test('that was signed out shows nothing of it on the way back to a page that the browser has kept', async () => {
    const kept = new Map<string, string>();
    const back: ((event: { persisted: boolean }) => void)[] = [];
    const browser = {
      localStorage: {
        getItem: (name: string) => kept.get(name) ?? null,
        setItem: (name: string, value: string) => void kept.set(name, value),
        removeItem: (name: string) => void kept.delete(name),
      },
      addEventListener: (_: string, hear: (typeof back)[number]) => void back.push(hear),
    };
    const before = Object.keys(browser).map((name) => [
      name,
      Object.getOwnPropertyDescriptor(globalThis, name),
    ]);
    for (const [name, value] of Object.entries(browser))
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    try {
      const { session, onEnded } = sessionOn(platform());
      await session.signIn({});
      back[0]!({ persisted: true });
      expect(onEnded).not.toHaveBeenCalled();
      await session.signOut();
      back[0]!({ persisted: false });
      expect(onEnded).not.toHaveBeenCalled();
      back[0]!({ persisted: true });
      expect(onEnded).toHaveBeenCalledTimes(1);
    } finally {
      for (const [name, property] of before as [string, PropertyDescriptor | undefined][])
        if (property) Object.defineProperty(globalThis, name, property);
        else Reflect.deleteProperty(globalThis, name);
    }
  });

  test('tells the page once it has ended, and only then', async () => {
    const it = platform();
    const { session, onEnded } = sessionOn(it);
    await session.signIn({});
    it.revokeAccess();
    it.goAway();
    await expect(session.call('GET', '/service-api/a')).rejects.toMatchObject({ status: 0 });
    expect(onEnded).not.toHaveBeenCalled();

    const other = platform();
    const ended = sessionOn(other);
    await ended.session.signIn({});
    other.revokeAccess();
    other.end();
    await expect(ended.session.call('GET', '/service-api/a')).rejects.toMatchObject({
      status: 401,
    });
    expect(ended.onEnded).toHaveBeenCalledTimes(1);
  });
});

test.each([
  ['kept where it may be good again later', true],
  ['over where it may not', false],
])(
  'a session that the platform takes no longer is %s, and the page hears why',
  async (_, stays) => {
    const onEnded = jest.fn();
    const heard: (string | undefined)[] = [];
    let isGood = true;
    const extensions = { code: 'INVALID_TOKEN', reason: 'app_switched_off' };
    const send = (async () =>
      isGood
        ? answer(200, { data: { access_token: 't', expires: 15 * MINUTE_MS } })
        : answer(401, { errors: [{ message: 'no', extensions }] })) as unknown as typeof fetch;
    const options: Parameters<typeof createPageSession<SignedIn>>[0] = {
      place: '/auth/session',
      carry: () => ({}),
      onEnded,
      onRefused: ({ reason }) => {
        heard.push(reason);
        return stays;
      },
      send,
    };
    const session = createPageSession<SignedIn>(options);
    await session.signIn({});
    isGood = false;
    await expect(session.call('GET', '/a')).rejects.toMatchObject({ reason: 'app_switched_off' });
    expect(heard).toEqual(['app_switched_off']);
    expect(onEnded).toHaveBeenCalledTimes(stays ? 0 : 1);
    const resumed = createPageSession<SignedIn>(options).resume();
    if (stays) await expect(resumed).rejects.toMatchObject({ status: 401 });
    else expect(await resumed).toBeNull();
  },
);

test.each([
  [0, null, true],
  [500, null, true],
  [429, 5, true],
  [409, 1, true],
  [409, null, false],
  [400, null, false],
  [403, null, false],
])(
  'a refusal of %d with Retry-After %s leaves it open: %s',
  (status, retryAfterSeconds, isOpen) => {
    expect(new Refused(status, 'X', { retryAfterSeconds }).isOpen).toBe(isOpen);
  },
);

test('a key is a random UUID', () => {
  expect(newKey()).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(newKey()).not.toBe(newKey());
});

test('a page speaks the first language that it can, as it is spoken where the person is', () => {
  const spoken = ['en', 'de', 'pl'];
  expect(languageOf(['it-IT', 'de-AT', 'en'], spoken)).toBe('de-AT');
  expect(languageOf(['it'], spoken)).toBe('en');
  const polish = createLanguage('pl', {
    waits: { one: '{count} wpis', few: '{count} wpisy', other: '?' },
  });
  expect([1, 3].map((count) => polish.say('waits', { count }))).toEqual(['1 wpis', '3 wpisy']);
});

test('a moment of today is its time, and one of another day says which', () => {
  const { moment } = createLanguage('en-GB', {});
  const now = new Date(2026, 1, 1, 9, 0);
  expect(moment(new Date(2026, 1, 1, 8, 5), now)).toBe('08:05');
  expect(moment(new Date(2026, 0, 31, 8, 5), now)).toMatch(/^31 Jan.*08:05$/);
});

test('words for somebody else are in their language, and leave the page in its own', async () => {
  // There is no document here: code that touched its language would fail.
  const languages = languagesOf({
    en: async () => ({ buy: 'Purchase' }),
    de: async () => ({ buy: 'Einkauf' }),
  });
  const said = ['de-AT', 'de', 'it-IT'].map(async (locale) =>
    (await languages.of(locale)).say('buy'),
  );
  expect(await Promise.all(said)).toEqual(['Einkauf', 'Einkauf', 'Purchase']);
});

test('no line of a French page ends before a mark that follows a space', () => {
  const words = { ask: 'Une seule ; « {name} » ?', time: 'le 3 : à 12:30' };
  expect(createLanguage('fr-FR', words).say('ask', { name: 'Ada ?' })).toBe(
    'Une seule\u202f; «\u202fAda ?\u202f»\u202f?',
  );
  expect(createLanguage('fr-FR', words).say('time')).toBe('le 3\u202f: à 12:30');
  expect(createLanguage('en-GB', words).say('time')).toBe('le 3 : à 12:30');
});

test.each([
  ['pl-PL', 'pl', 'Zeskanuj'],
  ['DE', 'de', 'Scannen'],
  ['it-IT', 'en', 'Scan,'],
])('a poster of a shop that speaks %s is in %s', (locale, lang, begins) => {
  const poster = posterText(locale);
  expect(poster.lang).toBe(lang);
  expect(poster.text.startsWith(begins)).toBe(true);
});
