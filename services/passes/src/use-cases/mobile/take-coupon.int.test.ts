import { newId } from '@laurel/lifecycle';
import type { rewards } from '@laurel/rpc';
import { createStores, type MobileDeps } from '../../deps';
import { createHarness, type Harness } from '../../testing/harness';
import { createAppConfig } from './app-configs';
import { useMobileRedemption, validateMobileCoupon } from './take-coupon';

let harness: Harness;
let used: string[];
beforeEach(async () => {
  harness = await createHarness();
  used = [];
});
afterEach(() => harness.drop());

/** A till of one project, and a coupon of a client with cards of the projects given. */
async function setUp(heldOf: readonly ('here' | 'elsewhere')[]) {
  const [here, elsewhere] = [await harness.project(), await harness.project()];
  const client = harness.client({ first_name: 'Ada' });
  for (const project of heldOf) {
    const template = await harness.template((project === 'here' ? here : elsewhere).id);
    await harness.pass(template, { client_id: client });
  }
  const identity = {
    ...harness.deps.identity,
    PutMobileAppAccess: async () => ({}),
    ListRoles: async () => ({ data: [] }),
    GetSettings: async () => ({ default_locale: 'en' }),
  };
  const coupon = { id: newId(), code: 'C-1' };
  const rewardsPeer = {
    ValidateCoupon: async () => ({
      valid: true,
      reason: null,
      coupon,
      client: { id: client, first_name: 'Ada', last_name: null, email: null },
    }),
    GetRedemption: async () => ({ client_id: client }) as rewards.Redemption,
    UseRedemption: async ({ id }: { id: string }) => {
      used.push(id);
      return { was_used: false };
    },
  };
  const deps = {
    ...harness.deps,
    ...createStores(harness.connection),
    identity,
    rewards: rewardsPeer,
  } as unknown as MobileDeps;
  const own = { workspace_id: harness.workspaceId, role_id: newId() };
  await createAppConfig(deps, { workspace_id: own.workspace_id, project_ids: [here.id] });
  return {
    look: () => validateMobileCoupon(deps, { ...own, code: 'C-1' }),
    take: () => useMobileRedemption(deps, { ...own, id: newId(), used: true }),
  };
}

test('a till of one project neither sees nor takes the coupon of who has cards of another only', async () => {
  const { look, take } = await setUp(['elsewhere']);
  expect(await look()).toEqual({ valid: false, reason: 'unknown' });
  await expect(take()).rejects.toMatchObject({ httpStatus: 404 });
  expect(used).toEqual([]);
});

test.each([
  ['a card of it', ['here']],
  ['a card of it and of others', ['elsewhere', 'here']],
  ['no card any more', []],
] as const)('it takes the coupon of who has %s', async (_, heldOf) => {
  const { look, take } = await setUp(heldOf);
  expect(await look()).toMatchObject({ valid: true, client: { first_name: 'Ada' } });
  await take();
  expect(used).toHaveLength(1);
});
