import { until } from '@laurel/testing';
import { type Caller, call, callerFor } from '../support/api';
import { expectStatus, newClient, newWalletType, newWorkspace } from '../support/factories';
import { newTemplate } from '../support/passes';
import { kill } from '../support/replicas';

jest.setTimeout(300_000);

const MEMBERS = 25;
const REWARDS = 10;
const EARNED = 40;
const READY = { withinMs: 240_000, everyMs: 250, what: 'the clone to be ready' };

async function newShop() {
  const shop = await newWorkspace();
  const { id: wallet_type_id } = await newWalletType(shop, { is_default: true });
  await newTemplate(shop);
  for (let number = 0; number < REWARDS; number += 1) {
    const reward = { name: `Reward ${number}`, cost_in_points: 10 + number, wallet_type_id };
    expectStatus(await shop.post(':ws/rewards', reward), 200);
  }
  for (let number = 0; number < MEMBERS; number += 1) {
    const { id: client_id } = await newClient(shop, { loyalty_program_enabled: true });
    const earned = { client_id, amount: EARNED };
    expectStatus(await shop.post(':ws/loyalty/points/earn', earned), 201);
  }
  return shop;
}

const rowsOf = async (workspace: Caller, list: string) =>
  expectStatus(await workspace.get(`:ws/${list}`), 200).body.data;

test('a clone becomes ready whole and once, though the services that make it are killed on the way', async () => {
  const shop = await newShop();
  const begun = expectStatus(
    await shop.post(':ws/clone', { name: 'Through the storm', members: MEMBERS }),
    202,
  ).body.data;
  expect(begun.status).not.toBe('ready');
  // The replica that works at it dies in the middle of it, and so does the one that it is asking.
  for (const services of [
    ['identity', 'identity-2'],
    ['rewards', 'ledger'],
    ['identity', 'identity-2', 'clients'],
  ])
    await Promise.all(services.map(kill));

  // A gateway may answer 503 until what it asks is there again.
  const status = async () => (await shop.get(`:ws/clone/${begun.id}`)).body.data?.status;
  await until(async () => (await status()) === 'ready', READY);
  const { data } = expectStatus(await call('GET', '/workspaces', { token: shop.token }), 200).body;
  const named = data.filter(({ name }: { name: string }) => name === 'Through the storm');
  expect(named).toMatchObject([{ id: begun.id }]);

  const copy = callerFor(shop.token, begun.id);
  const names = (rows: { name: string }[]) => rows.map(({ name }) => name).sort();
  for (const list of ['rewards', 'wallet-types', 'pass-templates', 'projects'])
    expect(names(await rowsOf(copy, list))).toEqual(names(await rowsOf(shop, list)));
  const members = await rowsOf(copy, `clients?limit=${MEMBERS + 1}`);
  expect(members).toHaveLength(MEMBERS);
  for (const { id } of members) {
    const [{ wallet }] = await rowsOf(copy, `clients/${id}/wallets`);
    expect(wallet).toMatchObject({ active_balance: EARNED, total_earned: EARNED });
  }
  const chain = expectStatus(await copy.post(':ws/loyalty/points/verify'), 200).body.data;
  expect(chain).toMatchObject({ valid: true, entries_checked: MEMBERS });
});
