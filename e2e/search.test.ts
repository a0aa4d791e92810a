import { randomUUID } from 'node:crypto';
import { callerFor } from './support/api';
import {
  expectStatus,
  newClient,
  newMember,
  newUser,
  newWalletType,
  newWorkspace,
  type TestWorkspace,
} from './support/factories';
import { newPass } from './support/passes';
import { expectRefusal } from './support/referrals';

const search = async (workspace: Pick<TestWorkspace, 'get'>, q: string, more = '') => {
  const reply = await workspace.get(`:ws/search?q=${encodeURIComponent(q)}${more}`);
  return expectStatus(reply, 200).body.data;
};

test('GET :ws/search finds everything by its id, codes and addresses as a whole, names in part', async () => {
  const workspace = await newWorkspace();
  await newWalletType(workspace, { code: 'points' });
  const post = async (path: string, body: object) => {
    const reply = await workspace.post(path, body);
    return reply.body.data ?? expectStatus(reply, 201);
  };
  const mark = randomUUID().slice(0, 8);
  const client = await newClient(workspace, {
    first_name: 'Zoë',
    last_name: `Weber ${mark}`,
    phone: '+48 601 234 567',
  });
  const identity = await workspace.put(`:ws/clients/${client.id}/external-identities/pos`, {
    external_id: 'K-4711',
  });
  expectStatus(identity, 200);
  const passId = await newPass(workspace, client.id);
  const pass = (await workspace.get(`/passes/${passId}`)).body.data;
  const rule = await post(':ws/automations', {
    name: `Double ${mark}`,
    trigger_type: 'transaction',
    effects: [{ type: 'earn_points', wallet_type_code: 'points', amount_type: 'fixed', amount: 1 }],
  });
  const reward = await post(':ws/rewards', { name: `Café ${mark}`, cost_in_points: 0 });
  await post(`:ws/rewards/${reward.id}/coupons/import`, { codes: [`CODE-${mark}`] });
  const segment = await post(':ws/segments', { name: `Segment ${mark}`, filters: [] });
  const entry = await post(':ws/loyalty/points/earn', { client_id: client.id, amount: 1 });
  const of = { client, rule, reward, segment };
  for (const [type, { id }] of Object.entries(of)) {
    expect((await search(workspace, id))[0]).toMatchObject({ type, id, matched: 'id' });
    const named = await search(workspace, mark, `&types=${type}`);
    expect(named).toMatchObject([{ type, id, matched: 'name' }]);
  }
  expect(await search(workspace, `cafe ${mark}`)).toMatchObject([
    { type: 'reward', id: reward.id },
  ]);
  expect(await search(workspace, entry.id)).toMatchObject([
    { type: 'entry', title: 'earn', subtitle: 'points', matched: 'id' },
  ]);
  expect(await search(workspace, pass.barcode_value)).toMatchObject([
    { type: 'pass', id: passId, matched: 'barcode' },
  ]);
  expect(await search(workspace, `code-${mark}`)).toMatchObject([
    { type: 'coupon', title: `CODE-${mark}`, subtitle: 'available', matched: 'code' },
  ]);
  expect(await search(workspace, 'K-4711')).toMatchObject([
    { type: 'client', id: client.id, title: `Zoë Weber ${mark}`, matched: 'external_id' },
  ]);
  expect(await search(workspace, client.email)).toMatchObject([
    { id: client.id, subtitle: client.email, matched: 'email' },
  ]);
  // Whole matches first, then customers, then the rest; no more than asked for.
  const all = await search(workspace, mark);
  expect(all.map(({ type }: { type: string }) => type)).toEqual([
    'client',
    'reward',
    'rule',
    'segment',
  ]);
  expect(await search(workspace, mark, '&limit=2')).toHaveLength(2);
  expect(await search(await newMember(workspace), mark, '&types=rule&types=segment')).toHaveLength(
    2,
  );

  const other = await newWorkspace();
  for (const q of [mark, client.id, pass.barcode_value, `CODE-${mark}`, 'K-4711', entry.id])
    expect(await search(other, q)).toEqual([]);
});

test('a search for nothing, for unknown types or for too much is refused, and so is a stranger', async () => {
  const workspace = await newWorkspace();
  const refused = async (query: string, field: string) =>
    expectRefusal(await workspace.get(`:ws/search?${query}`), 400, 'INVALID_PAYLOAD', field);
  await refused('', 'q');
  await refused('q=%20%20', 'q');
  await refused(`q=${'x'.repeat(256)}`, 'q');
  await refused('q=a&types=planet', 'types');
  await refused('q=a&limit=21', 'limit');
  const stranger = await newUser();
  const outside = callerFor(stranger.token, workspace.workspaceId);
  expectRefusal(await outside.get(':ws/search?q=a'), 403, 'FORBIDDEN');
  // Signs that mean something to a store mean nothing here.
  expect(await search(workspace, '.*')).toEqual([]);
  expect(await search(workspace, '$where')).toEqual([]);
});
