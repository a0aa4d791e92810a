import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { until } from '@laurel/testing';
import { type Caller, callerFor, gateways, type Reply } from '../support/api';
import {
  expectStatus,
  newClient,
  newWalletType,
  newWorkspace,
  type TestWorkspace,
} from '../support/factories';

const CLICKS = 12;

let workspace: TestWorkspace;
let through: Caller[];
beforeAll(async () => {
  workspace = await newWorkspace();
  await newWalletType(workspace);
  through = gateways().map((gateway) => callerFor(workspace.token, workspace.workspaceId, gateway));
});

const newKey = () => ({ 'Idempotency-Key': randomUUID() });
const isReplayed = ({ headers }: Reply) => headers.get('idempotency-replayed') === 'true';
const isRunning = ({ status, headers }: Reply) =>
  status === 409 && headers.get('retry-after') === '1';
const clickAll = (path: string, body: object, headers: Record<string, string>) =>
  Promise.all(
    Array.from({ length: CLICKS }, (_, click) =>
      through[click % through.length]!.post(path, body, headers),
    ),
  );

async function rewarded() {
  const { id: wallet_type_id } = await newWalletType(workspace);
  const reward = { name: 'Mug', cost_in_points: 5, wallet_type_id, code_pattern: '{RAND:8}' };
  const created = expectStatus(await workspace.post(':ws/rewards', reward), 200);
  const { id: client_id } = await newClient(workspace);
  const wallet = (await workspace.get(`:ws/wallet-types/${wallet_type_id}`)).body.data.code;
  const earn = { client_id, amount: 100, wallet_type_code: wallet };
  expectStatus(await workspace.post(':ws/loyalty/points/earn', earn), 201);
  return { client_id, reward_id: created.body.data.id as string };
}

const redemptionsOf = async (client_id: string): Promise<number> =>
  (await workspace.get(':ws/rewards/redemptions', { client_id })).body.data.length;
const entriesOf = async (client_id: string): Promise<number> =>
  (await workspace.get(`:ws/clients/${client_id}/points/ledger`)).body.data.length;

/** A command, the same with another body, and how often it took effect. */
const COMMANDS: Record<
  string,
  () => Promise<{ path: string; body: object; other: object; effects: () => Promise<number> }>
> = {
  'creating a client': async () => {
    const email = `${randomUUID()}@example.com`;
    return {
      path: ':ws/clients',
      body: { email },
      other: { email, first_name: 'Ada' },
      effects: async () => (await workspace.get(':ws/clients', { search: email })).body.data.length,
    };
  },
  'earning points': async () => {
    const { id: client_id } = await newClient(workspace);
    return {
      path: ':ws/loyalty/points/earn',
      body: { client_id, amount: 10 },
      other: { client_id, amount: 11 },
      effects: () => entriesOf(client_id),
    };
  },
  'redeeming a reward': async () => {
    const body = await rewarded();
    return {
      path: ':ws/rewards/redeem',
      body,
      other: { ...body, metadata: { till: 2 } },
      effects: () => redemptionsOf(body.client_id),
    };
  },
};

test.each(Object.keys(COMMANDS))(
  '%s: clicks at both gateways under one key run once and all get its answer',
  async (name) => {
    const { path, body, other, effects } = await COMMANDS[name]!();
    const key = newKey();
    const replies = await clickAll(path, body, key);
    const answered = replies.filter((reply) => !isRunning(reply));
    expect(answered.filter((reply) => !isReplayed(reply))).toHaveLength(1);
    const first = answered.find((reply) => !isReplayed(reply))!;
    expect([200, 201]).toContain(first.status);
    for (const caller of through) {
      const again = await until(async () => {
        const reply = await caller.post(path, body, key);
        return isRunning(reply) ? null : reply;
      });
      expect(isReplayed(again)).toBe(true);
      expect([again.status, again.body]).toEqual([first.status, first.body]);
      const conflict = await caller.post(path, other, key);
      expectStatus(conflict, 409);
      expect(conflict.body.errors[0].extensions.code).toBe('CONFLICT');
    }
    for (const reply of answered) expect(reply.body).toEqual(first.body);
    expect(await effects()).toBe(1);
  },
);

/** Lets Redis lose what it keeps of a key, as a node of it does that ends. */
async function forget(path: string, key: string): Promise<void> {
  const { hostname, port } = new URL(process.env.REDIS_URL!);
  const scope = workspace.workspaceId;
  const whole = path.replace(':ws', `/service-api/workspace/${scope}`);
  const name = createHash('sha256').update(`${scope} POST ${whole}\n${key}`).digest('hex');
  const socket = connect(Number(port), hostname, () => socket.write(`DEL answer:${name}\r\n`));
  const [answer] = await once(socket, 'data');
  socket.destroy();
  expect(String(answer)).toBe(':1\r\n');
}

test.each(Object.keys(COMMANDS))(
  '%s: another body under a key that Redis has forgotten is refused, and the first is answered as before',
  async (name) => {
    const { path, body, other, effects } = await COMMANDS[name]!();
    const key = newKey();
    const [one, two] = through as [Caller, Caller];
    const first = await one.post(path, body, key);
    expect([200, 201]).toContain(first.status);
    await forget(path, key['Idempotency-Key']);
    const conflict = await two.post(path, other, key);
    expectStatus(conflict, 409);
    expect(conflict.body.errors[0].extensions).toMatchObject({
      code: 'CONFLICT',
      field: 'Idempotency-Key',
    });
    const again = await one.post(path, body, key);
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect(await effects()).toBe(1);
  },
);

test('clicks with keys of their own are commands of their own', async () => {
  const { path, body } = await COMMANDS['redeeming a reward']!();
  const replies = await Promise.all(
    Array.from({ length: 4 }, (_, click) => through[click % 2]!.post(path, body, newKey())),
  );
  for (const reply of replies) expectStatus(reply, 200);
  const { client_id } = body as { client_id: string };
  expect(await redemptionsOf(client_id)).toBe(4);
  expect(new Set(replies.map((reply) => reply.body.data.coupon.code)).size).toBe(4);
});

test('an external_id used at both gateways at once is one entry, replayed', async () => {
  const { id: client_id } = await newClient(workspace);
  const body = { client_id, amount: 7, external_id: `order-${randomUUID()}` };
  const replies = await clickAll(':ws/loyalty/points/earn', body, {});
  for (const reply of replies) expectStatus(reply, 201);
  expect(replies.filter((reply) => !isReplayed(reply))).toHaveLength(1);
  expect(new Set(replies.map((reply) => reply.body.data.id)).size).toBe(1);
  expect(await entriesOf(client_id)).toBe(1);
});
