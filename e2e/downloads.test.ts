import { randomUUID } from 'node:crypto';
import { call, callerFor, gateways } from './support/api';
import {
  expectStatus,
  newClient,
  newMember,
  newWalletType,
  newWorkspace,
  signIn,
  type TestWorkspace,
} from './support/factories';
import { expectRefusal } from './support/referrals';

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace();
});

const open = async (body: object, by: Pick<TestWorkspace, 'post'> = workspace) => {
  const { url, expires_at } = expectStatus(await by.post(':ws/downloads', body), 201).body.data;
  expect(Date.parse(expires_at)).toBeGreaterThan(Date.now());
  return new URL(url).pathname;
};
const fetchOnce = (path: string, headers: Record<string, string> = {}) =>
  call('GET', `!${path}`, { headers });

test('a file is fetched by its address alone, once; a look does not use it up, a page tells who comes late', async () => {
  const client = await newClient(workspace, { first_name: '=cmd()', last_name: 'Weber' });
  const path = await open({ kind: 'customers', params: { search: 'Weber' } });
  expect((await call('HEAD', `!${path}`)).status).toBe(204);
  const file = expectStatus(await fetchOnce(path), 200);
  expect(file.headers.get('content-disposition')).toContain('clients.csv');
  expect(file.headers.get('cache-control')).toBe('no-store');
  expect(file.text).toContain(client.id);
  expect(file.text).toContain("'=cmd()");
  expectRefusal(await fetchOnce(path), 404, 'RECORD_NOT_FOUND');
  const headers = { Accept: 'text/html', 'Accept-Language': 'de' };
  const page = await fetch(new URL(path, gateways()[0]), { headers });
  expect(page.status).toBe(404);
  expect(await page.text()).toContain('<html lang="de">');
  expectRefusal(await fetchOnce(`/downloads/${'a'.repeat(43)}`), 404, 'RECORD_NOT_FOUND');
});

test('each kind gives its rows to the last, also beyond a page', async () => {
  const { id: walletTypeId } = await newWalletType(workspace);
  const client = await newClient(workspace, { loyalty_program_enabled: true });
  const operations = Array.from({ length: 510 }, () => ({
    op: 'earn',
    client_id: client.id,
    amount: 1,
  }));
  for (const part of [operations.slice(0, 255), operations.slice(255)])
    expect(
      (await workspace.post(':ws/loyalty/points/batch', { operations: part })).body,
    ).toMatchObject({ data: { failed: 0 } });
  const body = { name: 'Cup', cost_in_points: 1, wallet_type_id: walletTypeId };
  const { id: reward_id } = (await workspace.post(':ws/rewards', body)).body.data;
  for (let count = 0; count < 3; count += 1)
    expectStatus(
      await workspace.post(':ws/rewards/redeem', { reward_id, client_id: client.id }),
      200,
    );
  const rows = async (kind: string, params: object) =>
    expectStatus(await fetchOnce(await open({ kind, params })), 200)
      .text.trim()
      .split(/\r?\n/);
  const statement = await rows('statement', { client_id: client.id });
  expect(statement[0]).toMatch(/^created_at,wallet_type_code,type,amount/);
  expect(new Set(statement).size).toBe(1 + 510 + 3);
  const redemptions = await rows('redemptions', { reward_id });
  expect(redemptions).toHaveLength(1 + 3);
  const ledger = await rows('ledger', {});
  expect(ledger.length).toBeGreaterThanOrEqual(513);
  expect(JSON.parse(ledger[0]!)).toHaveProperty('hash');
  const person = await fetchOnce(await open({ kind: 'person', params: { client_id: client.id } }));
  expect(JSON.stringify(person.body)).toContain(client.id);
});

test('what is wrong is said when the address is asked for, and no caller gets what is of another workspace', async () => {
  const refused = async (body: object, field: string) =>
    expectRefusal(await workspace.post(':ws/downloads', body), 400, 'INVALID_PAYLOAD', field);
  await refused({ kind: 'rows' }, 'kind');
  await refused({ kind: 'statement' }, 'params.client_id');
  await refused({ kind: 'customers', params: { nobody: 1 } }, 'params.nobody');
  const other = await newWorkspace();
  const { id: client_id } = await newClient(other);
  const asked = { kind: 'person', params: { client_id } };
  expectRefusal(await workspace.post(':ws/downloads', asked), 404, 'RECORD_NOT_FOUND');
  const none = { kind: 'person', params: { client_id: randomUUID() } };
  expectRefusal(await workspace.post(':ws/downloads', none), 404, 'RECORD_NOT_FOUND');
});

test('an address is worth nothing once the token or session that asked for it has ended', async () => {
  const { token } = workspace;
  const body = { name: 'Report', scope: 'read' };
  const made = expectStatus(await call('POST', '/user/api-tokens', { token, body }), 201).body.data;
  const program = callerFor(made.token, workspace.workspaceId);
  const [kept, dropped] = [
    await open({ kind: 'customers' }, program),
    await open({ kind: 'customers' }, program),
  ];
  expectStatus(await fetchOnce(kept), 200);
  expectStatus(await call('DELETE', `/user/api-tokens/${made.id}`, { token }), 200);
  expectRefusal(await fetchOnce(dropped), 404, 'RECORD_NOT_FOUND');

  const session = await signIn(workspace.owner.email);
  const left = await open({ kind: 'customers' }, callerFor(session.token, workspace.workspaceId));
  const refresh_token = session.refreshToken;
  expectStatus(await call('POST', '!/auth/logout', { body: { refresh_token } }), 200);
  expectRefusal(await fetchOnce(left), 404, 'RECORD_NOT_FOUND');
});

test('an address is worth nothing once who asked for it is let go', async () => {
  const member = await newMember(workspace);
  const path = await open({ kind: 'customers' }, member);
  expectStatus(await workspace.del(`:ws/members/${member.user.id}`), 200);
  expectRefusal(await fetchOnce(path), 404, 'RECORD_NOT_FOUND');
});
