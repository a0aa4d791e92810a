import { newId } from '@laurel/lifecycle';
import type { passes as api } from '@laurel/rpc';
import { createStores, type MobileDeps } from '../../deps';
import { createHarness, type Harness } from '../../testing/harness';
import { createAppConfig } from './app-configs';
import { executeAppAction } from './execute-app-action';
import {
  listMobilePassEntries,
  listMobilePassEvents,
  listMobilePassRedemptions,
} from './read-pass-trail';
import { useMobileRedemption, validateMobileCoupon } from './take-coupon';

const SECRET = 'X-1234567';
/** A form of the staff app may name a field either way. */
const metadata = { passport_no: SECRET, 'custom_fields.passport_no': SECRET, shelf: 'A7' };

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

/** Services in which everything that they keep of a client says the same beside what it is about. */
function tellingAll(): MobileDeps {
  const { clients, identity, ledger } = harness.deps;
  const entry = { id: newId(), amount: 5, metadata };
  const redemption = { id: newId(), points_spent: 5, metadata };
  const asked = {
    clients: { ...clients, ListEvents: async () => ({ events: [{ id: newId(), metadata }] }) },
    identity: {
      ...identity,
      PutMobileAppAccess: async () => ({}),
      GetSettings: async () => ({ default_locale: 'en' }),
    },
    ledger: {
      ...ledger,
      ListEntries: async () => ({ entries: [entry], total_count: 1 }),
      EarnPoints: async () => ({ entry }),
      SpendPoints: async () => ({ entry }),
    },
    rewards: {
      ListRedemptions: async () => ({ redemptions: [redemption], total_count: 1 }),
      RedeemReward: async () => ({ redemption }),
      UseRedemption: async () => ({ redemption, was_used: false }),
      ValidateCoupon: async () => ({ valid: true, redemption }),
    },
  };
  const stores = createStores(harness.connection);
  return { ...harness.deps, ...stores, ...asked } as unknown as MobileDeps;
}

/** What staff are answered by each route that leads to metadata. */
async function answersTo(hidden_fields: string[]): Promise<unknown[]> {
  const { workspaceId: workspace_id } = harness;
  const deps = tellingAll();
  harness.peers.walletTypes = [{ code: 'beans' }];
  const { actions } = await createAppConfig(deps, { workspace_id, hidden_fields });
  const template = await harness.template((await harness.project()).id);
  const { id: pass_id } = await harness.pass(template, { client_id: harness.client() });
  const staff = { workspace_id, role_id: newId() };
  const page = { ...staff, pass_id, limit: 20, offset: 0 };
  const run = (type: string, data: object) => {
    const { id: action_id } = actions.find(({ action_type }) => action_type === type)!;
    const request = { ...staff, session_id: newId(), pass_id, action_id, data };
    return executeAppAction(deps, request as api.ExecuteMobileAppActionRequest);
  };
  return [
    await listMobilePassEvents(deps, page),
    await listMobilePassEntries(deps, page),
    await listMobilePassRedemptions(deps, page),
    await validateMobileCoupon(deps, { ...staff, code: 'C-1' }),
    await useMobileRedemption(deps, { ...staff, id: newId(), used: true }),
    await run('add_points', { points: 5 }),
    await run('remove_points', { points: 5 }),
    await run('redeem_reward', { reward_id: newId() }),
  ];
}

test('metadata tells staff no hidden field, by whichever route it comes to them', async () => {
  const answers = (await answersTo(['custom_fields.passport_no'])).map((one) =>
    JSON.stringify(one),
  );
  for (const answer of answers) {
    expect(answer).not.toContain(SECRET);
    expect(answer).toContain('"metadata":{"shelf":"A7"}');
  }
});

test('metadata is shown as it is where nothing is hidden', async () => {
  for (const answer of await answersTo([]))
    expect(JSON.stringify(answer)).toContain(JSON.stringify(metadata));
});
