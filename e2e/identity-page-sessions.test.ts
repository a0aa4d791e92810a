import { call, gateways } from './support/api';
import { expectStatus, uniqueEmail } from './support/factories';

const PASSWORD = 'a long enough passphrase';
const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin', 'X-Laurel-Page': '1' };

async function newPerson(): Promise<string> {
  const email = uniqueEmail('page');
  expectStatus(await call('POST', '!/auth/register', { body: { email, password: PASSWORD } }), 201);
  return email;
}
const cookieOf = (headers: Headers): string => headers.get('set-cookie')!.split(';')[0]!;

describe('a session of a page', () => {
  test('lives in a cookie, opens the API by its token, and ends', async () => {
    const email = await newPerson();
    const [gateway, other = gateway] = gateways();
    const body = { email, password: PASSWORD };
    const opened = expectStatus(
      await call('POST', '!/auth/session', { body, headers: OWN_PAGE, gateway: gateway! }),
      200,
    );
    expect(Object.keys(opened.body.data).sort()).toEqual(['access_token', 'expires', 'user']);
    expect(opened.body.data.user.email).toBe(email);
    expect(opened.headers.get('cache-control')).toBe('no-store');
    const first = cookieOf(opened.headers);
    const authorized = { Authorization: `Bearer ${opened.body.data.access_token}` };
    expectStatus(await call('GET', '/user/me', { headers: authorized }), 200);

    const refresh = (cookie: string, gateway: string) =>
      call('POST', '!/auth/session/refresh', {
        headers: { ...OWN_PAGE, Cookie: cookie },
        gateway,
      });
    const both = await Promise.all([refresh(first, gateway!), refresh(first, other!)]);
    const [second, same] = both.map((answer) => cookieOf(expectStatus(answer, 200).headers));
    expect(second).toBe(same);
    expect(second).not.toBe(first);

    const ended = await call('DELETE', '!/auth/session', {
      headers: { ...OWN_PAGE, Cookie: second! },
    });
    expect(expectStatus(ended, 200).headers.get('set-cookie')).toContain('Max-Age=0');
    expectStatus(await refresh(second!, gateway!), 401);
    expectStatus(await call('GET', '/user/me', { headers: authorized }), 401);
  });

  test('answers no page of another origin, and tells a browser so', async () => {
    const body = { email: await newPerson(), password: PASSWORD };
    const headers = { Origin: 'https://evil.example', 'X-Laurel-Page': '1' };
    const refused = await call('POST', '!/auth/session', { body, headers });
    expect(refused.status).toBe(403);
    expect(refused.headers.get('set-cookie')).toBeNull();
    expect(refused.headers.get('access-control-allow-origin')).toBeNull();
    const preflight = await call('OPTIONS', '!/auth/session', {
      headers: { ...headers, 'Access-Control-Request-Method': 'POST' },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
    // Everything else answers as CORS_ORIGINS says.
    const open = await call('GET', '!/auth/options', { headers: { Origin: 'https://a.example' } });
    expect(open.headers.get('access-control-allow-origin')).toBe('*');
    expect(open.body.data).toEqual({ registration: 'open', sso: [], bootstrap_pending: false });
  });

  test('does not begin with a wrong password, and is not made up', async () => {
    const body = { email: await newPerson(), password: 'not the password' };
    expectStatus(await call('POST', '!/auth/session', { body, headers: OWN_PAGE }), 401);
    expectStatus(await call('POST', '!/auth/session/refresh', { headers: OWN_PAGE }), 401);
    const Cookie = 'laurel_session=made-up';
    expectStatus(
      await call('POST', '!/auth/session/refresh', { headers: { ...OWN_PAGE, Cookie } }),
      401,
    );
    expectStatus(await call('DELETE', '!/auth/session', { headers: { ...OWN_PAGE, Cookie } }), 200);
  });
});
