import { randomUUID } from 'node:crypto';
import { call, newAddress, type Reply } from '../support/api';
import { expectStatus, newUser, PASSWORD, signIn } from '../support/factories';

/** The defaults of part 3, section 15. */
const IP_PER_MINUTE = 60;
const TOKEN_PER_MINUTE = 600;
const SIGN_IN_PER_MINUTE = 5 * IP_PER_MINUTE;
const ASSET_PER_MINUTE = 10 * IP_PER_MINUTE;
const FAILED_LOGINS_PER_MINUTE = 10;

const AT_ONCE = 40;

/** So many calls, the gateways taking turns. No more at once than are answered in time on a busy machine. */
async function sendAll(count: number, send: () => Promise<Reply>): Promise<Reply[]> {
  const replies: Reply[] = [];
  let begun = 0;
  const next = async (): Promise<void> => {
    while (begun < count) {
      begun += 1;
      replies.push(await send());
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  return replies;
}

const remaining = ({ headers }: Reply) =>
  Number(/;r=(\d+);/.exec(headers.get('ratelimit') ?? '')?.[1]);

/** Fails unless it says no the way part 3, section 1.1 has it. */
function expectLimited(reply: Reply): void {
  expectStatus(reply, 429);
  expect(reply.body.errors[0].extensions.code).toBe('RATE_LIMITED');
  const seconds = Number(reply.headers.get('retry-after'));
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(60);
}

describe('over two gateways together', () => {
  test('an address has 60 requests a minute on public routes, not one more', async () => {
    const headers = { 'X-Forwarded-For': newAddress() };
    const refresh = () =>
      call('POST', '!/auth/refresh', { body: { refresh_token: 'none' }, headers });
    const replies = await sendAll(IP_PER_MINUTE + 20, refresh);
    const limited = replies.filter(({ status }) => status === 429);
    expect(limited).toHaveLength(20);
    limited.forEach(expectLimited);
    const counted = replies.filter(({ status }) => status === 401).map(remaining);
    expect(counted.sort((a, b) => a - b)).toEqual(
      Array.from({ length: IP_PER_MINUTE }, (_, left) => left),
    );
    const elsewhere = { 'X-Forwarded-For': newAddress() };
    const body = { refresh_token: 'none' };
    expectStatus(await call('POST', '!/auth/refresh', { body, headers: elsewhere }), 401);
  });

  test('sign-ins and pictures of an address are counted apart from what else it asks', async () => {
    const headers = { 'X-Forwarded-For': newAddress() };
    const wrong = { email: 'of-no-account@example.com', password: PASSWORD };
    const login = await call('POST', '!/auth/login', { body: wrong, headers });
    expect(remaining(expectStatus(login, 401))).toBe(SIGN_IN_PER_MINUTE - 1);
    const picture = await call('GET', `!/assets/${randomUUID()}`, { headers });
    expect(remaining(expectStatus(picture, 404))).toBe(ASSET_PER_MINUTE - 1);
    const body = { refresh_token: 'none' };
    const refresh = await call('POST', '!/auth/refresh', { body, headers });
    expect(remaining(expectStatus(refresh, 401))).toBe(IP_PER_MINUTE - 1);
  });

  test('a credential has 600 requests a minute, the next one of the user too', async () => {
    const { email, token } = await newUser();
    const me = () => call('GET', '/user/me', { token });
    const replies = await sendAll(TOKEN_PER_MINUTE + 40, me);
    const limited = replies.filter(({ status }) => status === 429);
    expect(limited).toHaveLength(40);
    limited.forEach(expectLimited);
    const counted = replies.filter(({ status }) => status === 200).map(remaining);
    expect(new Set(counted).size).toBe(TOKEN_PER_MINUTE);
    const next = await call('GET', '/user/me', { token: (await signIn(email)).token });
    expect(remaining(expectStatus(next, 200))).toBe(TOKEN_PER_MINUTE - 1);
  });

  test('ten wrong passwords from one address lock an account out there, on every gateway, and nowhere else', async () => {
    const { email } = await newUser();
    const here = { 'X-Forwarded-For': newAddress() };
    const login = (password: string, headers = here) =>
      call('POST', '!/auth/login', { body: { email, password }, headers });
    const replies = await sendAll(FAILED_LOGINS_PER_MINUTE + 6, () => login('not the password'));
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(FAILED_LOGINS_PER_MINUTE);
    expectLimited(await login(PASSWORD));
    expectLimited(await login(PASSWORD));
    expectStatus(await login(PASSWORD, { 'X-Forwarded-For': newAddress() }), 200);
  });
});
