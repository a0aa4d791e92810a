import { newId } from '@laurel/lifecycle';
import type { tiers as api } from '@laurel/rpc';
import { propertySettings } from '@laurel/testing';
import fc from 'fast-check';
import { createHarness, type Harness } from '../testing/harness';
import { assignTier } from './assign-tier';
import { createTier } from './create-tier';
import { createTierSet } from './create-tier-set';
import { foretellMoves } from './foretell-moves';
import { reviewMembers } from './review-members';
import { unassignTier } from './unassign-tier';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

const DAY_MS = 86_400_000;

type Deed =
  | { what: 'earned'; amount: number; isByRule?: boolean }
  | { what: 'purchase' | 'refund'; amount: number; daysAgo: number }
  | { what: 'assigned' | 'freed' }
  | { what: 'enrolled'; isEnrolled: boolean };

const deeds: fc.Arbitrary<Deed[]> = fc.array(
  fc.oneof(
    fc.record({
      what: fc.constant('earned' as const),
      amount: fc.integer({ min: 1, max: 400 }),
      isByRule: fc.boolean(),
    }),
    fc.record({
      what: fc.constantFrom('purchase' as const, 'refund' as const),
      amount: fc.integer({ min: 1, max: 400 }),
      daysAgo: fc.integer({ min: 0, max: 40 }),
    }),
    fc.record({ what: fc.constantFrom('assigned' as const, 'freed' as const) }),
    fc.record({ what: fc.constant('enrolled' as const), isEnrolled: fc.boolean() }),
  ),
  { minLength: 1, maxLength: 4 },
);

/** A silver tier that points lead to, a golden one that sales of thirty days hold, and one that is given. */
async function tiersOf({ deps, workspaceId: workspace_id, resync }: Harness) {
  await createTierSet(deps, {
    workspace_id,
    name: 'Levels',
    conditions: { items: [{ type: 'total_earned' }, { type: 'total_spending' }] },
    downgrade_config: { lookback_days: 30 },
  });
  const tier = (name: string, sort_order: number, fields: Partial<api.CreateTierRequest>) =>
    createTier(deps, { workspace_id, name, sort_order, ...fields });
  const bronze = await tier('Bronze', 0, {});
  await tier('Silver', 1, { condition_values: { total_earned: 200 } });
  await tier('Gold', 2, { condition_values: { total_spending: 300 } });
  const vip = await tier('VIP', 3, { kind: 'exclusive' });
  await resync();
  return { bronze, vip };
}

function thoughtOf(deed: Deed, vip: string): api.Thought {
  switch (deed.what) {
    case 'earned':
      return {
        earned: { wallet_type_code: 'points', points: deed.amount },
        ...(deed.isByRule ? { by_rules: true } : {}),
      };
    case 'purchase':
    case 'refund': {
      const isPurchase = deed.what === 'purchase';
      const spending = isPurchase ? deed.amount : -deed.amount;
      return {
        sold: { spending, is_purchase: isPurchase, at: daysAgo(deed.daysAgo).toISOString() },
      };
    }
    case 'enrolled':
      return { enrolled: deed.isEnrolled };
    default:
      return { assigned: deed.what === 'assigned' ? { tier_id: vip } : {} };
  }
}

const daysAgo = (days: number) => new Date(harness.clock.now().getTime() - days * DAY_MS);

/** It happens, and what follows by itself. */
async function happen(client_id: string, deed: Deed, vip: string): Promise<void> {
  const { made, deps, workspaceId: workspace_id } = harness;
  const client = { workspace_id, client_id };
  switch (deed.what) {
    case 'assigned':
      await assignTier(deps, { ...client, tier_id: vip });
      break;
    case 'freed':
      await unassignTier(deps, client);
      break;
    case 'enrolled':
      await harness.take(made.client(client_id, { loyalty_program_enabled: deed.isEnrolled }));
      break;
    case 'earned':
      await harness.take({
        ...made.earned(client_id, deed.amount),
        ...(deed.isByRule ? { chain: newId(), depth: 1 } : {}),
      });
      break;
    default:
      await harness.take(made[deed.what](client_id, deed.amount, daysAgo(deed.daysAgo)));
  }
  while ((await reviewMembers(deps)).more);
}

/** What is foretold of a client by all of some deeds, and what then happens to it. */
async function foretoldAndDone(client_id: string, rest: readonly Deed[], vip: string) {
  const { deps, workspaceId: workspace_id } = harness;
  const before = (await harness.told()).length;
  const thoughts = rest.map((deed) => thoughtOf(deed, vip));
  const { moves } = await foretellMoves(deps, { workspace_id, client_id, thoughts });
  expect(await harness.told()).toHaveLength(before);
  for (const deed of rest) await happen(client_id, deed, vip);
  const done = (await harness.told()).slice(before).map(({ type, data }) => {
    const { previous_tier, tier, manually_assigned } = data as never as {
      previous_tier: { id: string } | null;
      tier: { id: string } | null;
      manually_assigned: boolean;
    };
    return {
      from_tier_id: previous_tier?.id ?? null,
      to_tier_id: tier?.id ?? null,
      promoted: type === 'tiers.tier_promoted',
      assigned: manually_assigned,
    };
  });
  return { foretold: moves.map(({ thought: _, ...move }) => move), done };
}

test('what is foretold of a client’s tier is what happens to it, and nothing is written before', async () => {
  const { vip } = await tiersOf(harness);
  const seen = new Set<boolean>();
  await fc.assert(
    fc.asyncProperty(deeds, deeds, async (earlier, later) => {
      const client_id = newId();
      await harness.take(harness.made.client(client_id));
      const isPossible = (list: readonly Deed[]) => {
        let enrolled = true;
        return list.filter((deed) => {
          if (deed.what === 'enrolled') enrolled = deed.isEnrolled;
          return deed.what !== 'assigned' || enrolled;
        });
      };
      const all = isPossible([...earlier, ...later]);
      const rest = all.slice(Math.min(earlier.length, all.length - 1));
      for (const deed of all.slice(0, all.length - rest.length))
        await happen(client_id, deed, vip.id);
      const { foretold, done } = await foretoldAndDone(client_id, rest, vip.id);
      expect(foretold).toEqual(done);
      for (const { promoted } of foretold) seen.add(promoted);
    }),
    propertySettings(10),
  );
  // Up and down were among them.
  expect([...seen]).toEqual(expect.arrayContaining([true, false]));
});

test('of whom a review demoted it is foretold what an end of an assignment, an enrolment that changes nothing or points of a rule bring', async () => {
  const { vip, bronze } = await tiersOf(harness);
  const client_id = newId();
  await harness.take(harness.made.client(client_id));
  await happen(client_id, { what: 'purchase', amount: 400, daysAgo: 35 }, vip.id);
  expect(await harness.member(client_id)).toMatchObject({ tier: { id: bronze.id }, lapsed: true });
  const nothing: Deed[] = [{ what: 'freed' }, { what: 'enrolled', isEnrolled: true }];
  expect(await foretoldAndDone(client_id, nothing, vip.id)).toEqual({ foretold: [], done: [] });
  const gifts: Deed[] = [{ what: 'earned', amount: 10, isByRule: true }];
  expect(await foretoldAndDone(client_id, gifts, vip.id)).toEqual({ foretold: [], done: [] });
  const both: Deed[] = [{ what: 'assigned' }, { what: 'freed' }];
  const { foretold, done } = await foretoldAndDone(client_id, both, vip.id);
  expect(foretold).toEqual(done);
  expect(done).toEqual([
    { from_tier_id: bronze.id, to_tier_id: vip.id, promoted: true, assigned: true },
    { from_tier_id: vip.id, to_tier_id: bronze.id, promoted: false, assigned: false },
  ]);
});
