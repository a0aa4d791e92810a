import { randomUUID } from 'node:crypto';
import { until } from '@laurel/testing';
import { call, type Reply } from './support/api';
import { answers, newForm, submit } from './support/enrollment';
import {
  expectStatus,
  newClient,
  newWorkspace,
  type TestWorkspace,
  uniqueEmail,
} from './support/factories';
import { mailsTo, mailTo } from './support/mails';
import { answer, newPortal, portalCaller } from './support/portal';

const SENT = [200, { data: { sent: true } }];
const WRONG = [401, { error: 'invalid credentials' }];

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newPortal({ login_mode: 'code' });
});

const request = (email: string, slug = workspace.slug): Promise<Reply> =>
  call('POST', '/public/loyalty/login/request', { body: { workspace_slug: slug, email } });
const verify = (email: string, code: string, slug = workspace.slug): Promise<Reply> =>
  call('POST', '/public/loyalty/login/verify', { body: { workspace_slug: slug, email, code } });
/** The code in the newest of `count` mails. */
const codeFor = async (email: string, count = 1): Promise<string> =>
  /\b(\d{6})\b/.exec((await mailTo(email, count)).split('\r\n\r\n').slice(1).join())![1]!;
const otherThan = (code: string): string => (code === '000000' ? '000001' : '000000');

describe('signing in with a mailed code', () => {
  test('opens a session as the session endpoint does', async () => {
    const client = await newClient(workspace, { first_name: 'Ann' });
    expect(answer(await request(client.email.toUpperCase()))).toEqual(SENT);
    const { status, body } = await verify(client.email, await codeFor(client.email));
    expect([status, body]).toEqual([
      200,
      {
        data: {
          token: expect.any(String),
          client: { id: client.id, first_name: 'Ann', last_name: null, email: client.email },
          workspace: {
            id: workspace.workspaceId,
            slug: workspace.slug,
            name: 'Coffee Corner',
            default_locale: 'en',
          },
          portal: expect.objectContaining({ is_enabled: true, workspace_slug: workspace.slug }),
        },
      },
    ]);
    const me = await portalCaller(body.data.token).get('/me');
    expect(me.body.data.id).toBe(client.id);
  });

  test('works where links are the way in, too', async () => {
    const own = await newPortal();
    const client = await newClient(own);
    expectStatus(await request(client.email, own.slug), 200);
    expectStatus(await verify(client.email, await codeFor(client.email), own.slug), 200);
  });

  test('ends what the first to enrol with the address was given, and no later session', async () => {
    const form = await newForm({}, workspace);
    const body = answers();
    const { data: stranger } = expectStatus(await submit(form, body), 200).body;
    expectStatus(await portalCaller(stranger.client_token).get('/me'), 200);
    await request(body.email);
    const session = async (count: number) =>
      (await verify(body.email, await codeFor(body.email, count))).body.data.token;
    const first = await session(1);
    expectStatus(await portalCaller(stranger.client_token).get('/me'), 401);
    const link = `!${new URL(stranger.apple_pass_url).pathname}.png`;
    await until(async () => (await call('GET', link)).status === 404, {
      what: 'the links of the pass to be made anew',
    });
    const passes = expectStatus(await portalCaller(first).get('/passes'), 200).body.data;
    expect(passes[0].apple_pass_url).not.toBe(stranger.apple_pass_url);
    await request(body.email);
    await session(2);
    expectStatus(await portalCaller(first).get('/me'), 200);
  });

  test('ends with the address: who signed in by the former one is out, and the new one has its own codes', async () => {
    const client = await newClient(workspace);
    await request(client.email);
    const former = (await verify(client.email, await codeFor(client.email))).body.data.token;
    expectStatus(await portalCaller(former).get('/me'), 200);
    const email = uniqueEmail();
    await workspace.laurel.clients.update(client.id, { email });
    expectStatus(await portalCaller(former).get('/me'), 401);
    await request(email);
    const { token } = (await verify(email, await codeFor(email))).body.data;
    expectStatus(await portalCaller(token).get('/me'), 200);
    expectStatus(await portalCaller(former).get('/me'), 401);
  });

  test('takes a code once, whichever call is faster', async () => {
    const client = await newClient(workspace);
    await request(client.email);
    const code = await codeFor(client.email);
    const replies = await Promise.all([1, 2, 3].map(() => verify(client.email, code)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    expect(answer(await verify(client.email, code))).toEqual(WRONG);
  });

  test('takes only the newest code', async () => {
    const client = await newClient(workspace);
    await request(client.email);
    const first = await codeFor(client.email);
    await request(client.email);
    const mails = await mailTo(client.email, 2).then(() => mailsTo(client.email));
    const codes = mails.map((mail) => /is (\d{6})/.exec(mail)![1]!);
    const second = codes.find((code) => code !== first) ?? first;
    if (second !== first) expect(answer(await verify(client.email, first))).toEqual(WRONG);
    expectStatus(await verify(client.email, second), 200);
  });

  test('dies after five tries', async () => {
    const client = await newClient(workspace);
    await request(client.email);
    const code = await codeFor(client.email);
    for (let attempt = 1; attempt <= 5; attempt += 1)
      expect(answer(await verify(client.email, otherThan(code)))).toEqual(WRONG);
    expect(answer(await verify(client.email, code))).toEqual(WRONG);
  });

  test('opens nothing in another workspace', async () => {
    const other = await newPortal();
    const client = await newClient(workspace);
    await newClient(other, { email: client.email });
    await request(client.email);
    const code = await codeFor(client.email);
    expect(answer(await verify(client.email, code, other.slug))).toEqual(WRONG);
    expectStatus(await verify(client.email, code), 200);
  });

  test('opens nothing once the address is no longer the client’s', async () => {
    const client = await newClient(workspace);
    await request(client.email);
    const code = await codeFor(client.email);
    const email = `new-${client.email}`;
    expectStatus(await workspace.patch(`:ws/clients/${client.id}`, { email }), 200);
    expect(answer(await verify(client.email, code))).toEqual(WRONG);
  });

  test('says the same of unknown addresses, wrong codes and nonsense', async () => {
    const client = await newClient(workspace);
    const unknown = `nobody-${randomUUID()}@example.com`;
    for (const email of [client.email, unknown])
      for (const code of ['123456', 'abc', '1'])
        expect(answer(await verify(email, code))).toEqual(WRONG);
  });

  test('answers everybody alike, and writes only to active clients of an open portal', async () => {
    const closed = await newWorkspace();
    const unreachable: [string, string][] = [
      [`nobody-${randomUUID()}@example.com`, workspace.slug],
      [(await newClient(workspace, { status: 'inactive' })).email, workspace.slug],
      [(await newClient(closed)).email, closed.slug],
      [(await newClient(workspace)).email, `no-${randomUUID()}`],
    ];
    for (const [email, slug] of unreachable)
      expect(answer(await request(email, slug))).toEqual(SENT);
    const known = await newClient(workspace);
    expect(answer(await request(known.email))).toEqual(SENT);
    await mailTo(known.email);
    // Requests are handled in turn: those before this one had theirs.
    for (const [email] of unreachable) expect(await mailsTo(email)).toEqual([]);
  });

  test('is 404 where there is no workspace or its portal is off', async () => {
    const closed = await newWorkspace();
    expect(answer(await verify('a@example.com', '123456', closed.slug))).toEqual([
      404,
      { error: 'portal not enabled' },
    ]);
    expect(answer(await verify('a@example.com', '123456', `no-${randomUUID()}`))).toEqual([
      404,
      { error: 'workspace not found' },
    ]);
  });

  test('speaks the language of the workspace', async () => {
    const own = await newPortal();
    expectStatus(await own.patch(':ws/settings', { default_locale: 'pl-PL' }), 200);
    const client = await newClient(own);
    await request(client.email, own.slug);
    expect(await mailTo(client.email)).toContain('Twój kod logowania');
  });

  test.each([
    ['request', {}],
    ['request', { workspace_slug: 'x', email: 'none' }],
    ['request', { workspace_slug: 'x', email: 'a@example.com', code: '1' }],
    ['verify', { workspace_slug: 'x', email: 'a@example.com' }],
    ['verify', { email: 'a@example.com', code: '123456' }],
    ['verify', { workspace_slug: 'x', email: 'a@example.com', code: 123456 }],
  ])('%s refuses %j', async (step, body) => {
    const reply = await call('POST', `/public/loyalty/login/${step}`, { body });
    expect(answer(reply)).toEqual([400, { error: expect.any(String) }]);
  });
});
