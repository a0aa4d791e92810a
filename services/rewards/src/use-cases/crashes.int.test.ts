import { newId } from '@laurel/lifecycle';
import type { rewards as api } from '@laurel/rpc';
import { atEveryCall, type Death, mortal, workOffJob } from '@laurel/testing';
import type { Deps } from '../deps';
import { jobs } from '../jobs';
import { ABANDONED_MS, Harness } from '../testing/harness';
import { broken } from '../testing/invariants';
import { cancelRedemption } from './cancel-redemption';
import { importCoupons } from './import-coupons';
import { redeemReward } from './redeem-reward';

const COST = 10;

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterAll(() => harness.close());

/** What the other replicas do, once what was left behind counts as abandoned. */
async function sweep(): Promise<void> {
  harness.clock.advanceMs(ABANDONED_MS + 1);
  await workOffJob(jobs(harness.deps), 'recover-attempts');
  await workOffJob(jobs(harness.deps), 'finish-cancellations');
}

/** A process that is killed at one of its calls, and what it leaves behind once others have taken over. */
async function dieAt(death: Death, command: (deps: Deps) => Promise<unknown>): Promise<boolean> {
  const dying = mortal(harness.deps.connection, death);
  const replica = harness.depsOver(dying.connection, dying.peer(harness.ledger));
  dying.arm();
  await Promise.race([command(replica), dying.died]);
  await sweep();
  expect([death, await broken(harness)]).toEqual([death, []]);
  return !dying.isDead();
}

const redemptionsOf = async (clientId: string) => {
  const filter = { clientId };
  const page = { limit: 10, offset: 0 };
  return (await harness.deps.redemptions.list(harness.workspaceId, filter, page)).redemptions;
};

const told = async (type: string, redemptionId: string) =>
  (await harness.events(type)).filter(
    ({ data }) => (data as { redemption: { id: string } }).redemption.id === redemptionId,
  ).length;

const rewards: [kind: string, fields: Partial<api.CreateRewardRequest>][] = [
  ['a code that is generated', { code_pattern: 'C{RAND:8}', usage_limit_per_client: 1 }],
  ['a coupon of the pool', { usage_limit: 1 }],
  ['nothing but the points', {}],
];

describe.each(rewards)('redeeming for %s, killed at every call', (kind, fields) => {
  test.each(['before', 'after'] as const)(
    '%s the call: it is fulfilled whole or leaves no trace, and its repeat redeems once',
    async (when) => {
      const calls = await atEveryCall(when, async (death) => {
        const reward = await harness.newReward(fields);
        const { id: reward_id } = reward;
        const { workspaceId: workspace_id } = harness;
        if (kind.includes('pool'))
          await importCoupons(harness.deps, { workspace_id, reward_id, codes: [newId()] });
        const client = harness.newClient(COST);
        const operation = newId();
        const request = { workspace_id, reward_id, client_id: client };
        const redeem = (deps: Deps) =>
          harness.asCaller(() => redeemReward(deps, request), operation);
        const through = await dieAt(death, redeem);
        const [redemption] = await redemptionsOf(client);
        expect(harness.ledger.balanceOf(client)).toBe(redemption ? 0 : COST);
        // A caller without an answer asks again.
        const repeated = await redeem(harness.deps);
        expect(await broken(harness)).toEqual([]);
        const all = await redemptionsOf(client);
        expect(all.map(({ id }) => id)).toEqual([repeated.redemption!.id]);
        expect(harness.ledger.balanceOf(client)).toBe(0);
        expect(await told('rewards.reward_redeemed', repeated.redemption!.id)).toBe(1);
        return through;
      });
      expect(calls).toBeGreaterThan(10);
    },
    600_000,
  );
});

/** Leaves a redemption behind whose points are spent and whose caller had no answer. */
async function spendAndDie(rewardId: string, clientId: string): Promise<void> {
  const { ledger } = harness;
  let announce: () => void = () => {};
  const spent = new Promise<void>((resolve) => {
    announce = resolve;
  });
  const SpendPoints: typeof ledger.SpendPoints = async (request) => {
    await ledger.SpendPoints(request);
    announce();
    return new Promise<never>(() => {});
  };
  const { QuoteSpend, RefundSpend, GetBalances, GetWalletType } = ledger;
  const peer = { QuoteSpend, SpendPoints, RefundSpend, GetBalances, GetWalletType };
  const replica = harness.depsOver(harness.deps.connection, peer);
  void harness.redeem(rewardId, clientId, { deps: replica });
  await spent;
  harness.clock.advanceMs(ABANDONED_MS + 1);
}

describe('a sweeper, killed at every call', () => {
  test.each(['before', 'after'] as const)(
    '%s the call: what it began to undo is undone once by the next one',
    async (when) => {
      const calls = await atEveryCall(when, async (death) => {
        const reward = await harness.newReward({ code_pattern: 'C{RAND:8}', usage_limit: 1 });
        const client = harness.newClient(COST);
        await spendAndDie(reward.id, client);
        const through = await dieAt(death, (deps) => workOffJob(jobs(deps), 'recover-attempts'));
        expect(await redemptionsOf(client)).toEqual([]);
        expect(harness.ledger.balanceOf(client)).toBe(COST);
        return through;
      });
      expect(calls).toBeGreaterThan(5);
    },
    600_000,
  );
});

describe('cancelling, killed at every call', () => {
  test.each(['before', 'after'] as const)(
    '%s the call: it is completed or never began, and its repeat completes it once',
    async (when) => {
      const calls = await atEveryCall(when, async (death) => {
        const reward = await harness.newReward({ code_pattern: 'C{RAND:8}', usage_limit: 1 });
        const client = harness.newClient(COST);
        const { id } = (await harness.redeem(reward.id, client)).redemption!;
        const operation = newId();
        const request = { workspace_id: harness.workspaceId, id };
        const cancel = (deps: Deps) =>
          harness.asCaller(() => cancelRedemption(deps, request), operation);
        const through = await dieAt(death, cancel);
        const [row] = await redemptionsOf(client);
        const isCancelled = row!.status === 'cancelled';
        expect(harness.ledger.balanceOf(client)).toBe(isCancelled ? COST : 0);
        const repeated = await cancel(harness.deps);
        expect(repeated.redemption!.status).toBe('cancelled');
        expect(repeated.refunded_points).toBe(COST);
        expect(harness.ledger.balanceOf(client)).toBe(COST);
        expect(await broken(harness)).toEqual([]);
        expect(await told('rewards.reward_cancelled', id)).toBe(1);
        return through;
      });
      expect(calls).toBeGreaterThan(5);
    },
    600_000,
  );
});
