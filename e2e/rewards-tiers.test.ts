import { randomUUID } from 'node:crypto';
import { expectStatus, newClient, newWorkspace, type TestWorkspace } from './support/factories';

let workspace: TestWorkspace;
let tierId: string;
beforeAll(async () => {
  workspace = await newWorkspace();
  expectStatus(await workspace.post(':ws/tiers/set', { name: 'Club' }), 201);
  const tier = { name: 'Friends', kind: 'exclusive', condition_values: {}, sort_order: 9 };
  tierId = expectStatus(await workspace.post(':ws/tiers', tier), 201).body.data.id;
});

const create = (visibility_tiers: string[]) =>
  workspace.post(':ws/rewards', { name: 'Cake', cost_in_points: 0, visibility_tiers });

test('a reward for a tier is redeemed by its members, at once, and by no others', async () => {
  const reward = expectStatus(await create([tierId]), 200).body.data;
  expect(reward.visibility_tiers).toEqual([tierId]);
  const client = await newClient(workspace, { loyalty_program_enabled: true });
  const body = { reward_id: reward.id, client_id: client.id };
  const locked = await workspace.post(':ws/rewards/redeem', body);
  expect(expectStatus(locked, 400).body.errors[0].extensions.reason).toBe('tier_locked');
  const dry = await workspace.post(':ws/rewards/redeem', { ...body, dry_run: true });
  expect(dry.body.data).toMatchObject({ would_succeed: false, reason: 'tier_locked' });
  const assignment = { client_id: client.id, tier_id: tierId };
  expectStatus(await workspace.post(':ws/tiers/assign', assignment), 200);
  expectStatus(await workspace.post(':ws/rewards/redeem', body), 200);
});

test('a tier of nowhere or of another workspace is 400 with its place', async () => {
  const elsewhere = await newWorkspace();
  expectStatus(await elsewhere.post(':ws/tiers/set', { name: 'Club' }), 201);
  const tier = { name: 'Gold', kind: 'exclusive', condition_values: {} };
  const foreign = expectStatus(await elsewhere.post(':ws/tiers', tier), 201).body.data.id;
  for (const id of [randomUUID(), foreign]) {
    const reply = await create([tierId, id]);
    const [{ extensions }] = expectStatus(reply, 400).body.errors;
    expect(extensions).toMatchObject({ code: 'INVALID_PAYLOAD', field: 'visibility_tiers.1' });
  }
});
