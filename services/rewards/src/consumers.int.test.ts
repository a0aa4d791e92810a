import { ofEveryService } from '@laurel/backend';
import {
  type CloudEvent,
  createEvent,
  type EventMap,
  listenerFor,
  type Once,
} from '@laurel/events';
import { newId } from '@laurel/lifecycle';
import { unitOfWork } from '@laurel/mongo';
import { atEveryCall, mortal, workOffJob } from '@laurel/testing';
import { collections } from './collections';
import { consumers } from './consumers';
import { jobs } from './jobs';
import { ABANDONED_MS, Harness } from './testing/harness';
import { broken } from './testing/invariants';
import { exportClient } from './use-cases/export-client';
import { listRedemptions } from './use-cases/list-redemptions';
import { useRedemption } from './use-cases/use-redemption';

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterAll(() => harness.close());

async function tell<Type extends 'clients.merged' | 'clients.deleted' | 'clients.anonymized'>(
  type: Type,
  data: EventMap[Type],
): Promise<void> {
  const { workspaceId } = harness;
  const event = createEvent(type, { workspaceId, subject: newId(), data }) as CloudEvent;
  await deliver(event);
}

/** Twice, as brokers do; without an inbox, so that the effect itself must bear it. */
async function deliver(event: CloudEvent): Promise<void> {
  const once: Once = (effect) => unitOfWork(harness.deps.connection, effect);
  const [listener] = consumers(harness.deps).flatMap((spec) => listenerFor(spec, event.type) ?? []);
  await listener!(event, once);
  await listener!(event, once);
}

const redemptionsOf = (client_id: string) =>
  listRedemptions(harness.deps, {
    workspace_id: harness.workspaceId,
    client_id,
    limit: 10,
    offset: 0,
  });

test('of merged clients the target has the redemptions and the uses', async () => {
  const [source, target] = [harness.newClient(100), harness.newClient(100)];
  const reward = await harness.newReward({ usage_limit_per_client: 3 });
  for (const client of [source, source, target]) await harness.redeem(reward.id, client);
  await tell('clients.merged', { source_client_id: source, target_client_id: target });
  expect((await redemptionsOf(target)).total_count).toBe(3);
  expect((await redemptionsOf(source)).total_count).toBe(0);
  expect(await broken(harness)).toEqual([]);
  await expect(harness.redeem(reward.id, target)).rejects.toThrow('as often as one client may');
});

test('a client merged while redeeming: the redemption and its use are the target’s', async () => {
  const [source, target] = [harness.newClient(10), harness.newClient(10)];
  const reward = await harness.newReward({ usage_limit_per_client: 1 });
  const { SpendPoints } = harness.ledger;
  const ledger = {
    ...harness.ledger,
    SpendPoints: async (request: Parameters<typeof SpendPoints>[0]) => {
      await tell('clients.merged', { source_client_id: source, target_client_id: target });
      return SpendPoints(request);
    },
  };
  const { redemption } = await harness.redeem(reward.id, source, {
    deps: { ...harness.deps, ledger },
  });
  expect(redemption!.client_id).toBe(target);
  expect(await broken(harness)).toEqual([]);
  await expect(harness.redeem(reward.id, target)).rejects.toThrow('as often as one client may');
});

test('a client merged while its redemption is written: the redemption and its use are the target’s', async () => {
  const [source, target] = [harness.newClient(10), harness.newClient(10)];
  const reward = await harness.newReward({ usage_limit_per_client: 1 });
  const { redemptions } = harness.deps;
  const late: typeof redemptions = {
    ...redemptions,
    insertAll: async (...args) => {
      await tell('clients.merged', { source_client_id: source, target_client_id: target });
      return redemptions.insertAll(...args);
    },
  };
  await harness.redeem(reward.id, source, { deps: { ...harness.deps, redemptions: late } });
  expect((await redemptionsOf(source)).total_count).toBe(0);
  expect((await redemptionsOf(target)).total_count).toBe(1);
  expect(await broken(harness)).toEqual([]);
  await expect(harness.redeem(reward.id, target)).rejects.toThrow('as often as one client may');
});

test('a client merged while its use becomes final: no mark stays behind', async () => {
  const [source, target] = [harness.newClient(10), harness.newClient(10)];
  const reward = await harness.newReward({ usage_limit_per_client: 1 });
  const { usages } = harness.deps;
  const late: typeof usages = {
    ...usages,
    settleAll: async (...args) => {
      await tell('clients.merged', { source_client_id: source, target_client_id: target });
      return usages.settleAll(...args);
    },
  };
  await harness.redeem(reward.id, source, { deps: { ...harness.deps, usages: late } });
  expect((await redemptionsOf(target)).total_count).toBe(1);
  expect(await broken(harness)).toEqual([]);
});

test('of clients merged one into the next, the last one has the redemption that was on its way', async () => {
  const [first, second, third] = [1, 2, 3].map(() => harness.newClient(10)) as [
    string,
    string,
    string,
  ];
  const reward = await harness.newReward({ usage_limit_per_client: 1 });
  const { SpendPoints } = harness.ledger;
  const ledger = {
    ...harness.ledger,
    SpendPoints: async (request: Parameters<typeof SpendPoints>[0]) => {
      await tell('clients.merged', { source_client_id: first, target_client_id: second });
      await tell('clients.merged', { source_client_id: second, target_client_id: third });
      return SpendPoints(request);
    },
  };
  const { redemption } = await harness.redeem(reward.id, first, {
    deps: { ...harness.deps, ledger },
  });
  expect(redemption!.client_id).toBe(third);
  expect(await broken(harness)).toEqual([]);
});

test.each(['before', 'after'] as const)(
  'of clients merged one into the next while a redemption is written, the last one has it, killed %s any call from there on',
  async (when) => {
    const calls = await atEveryCall(when, async (death) => {
      const [first, second, third] = [1, 2, 3].map(() => harness.newClient(10)) as [
        string,
        string,
        string,
      ];
      const merged = (source_client_id: string, target_client_id: string) =>
        tell('clients.merged', { source_client_id, target_client_id });
      const reward = await harness.newReward({ usage_limit_per_client: 1 });
      const dying = mortal(harness.deps.connection, death);
      const replica = harness.depsOver(dying.connection, {
        ...harness.ledger,
        SpendPoints: async (request) => {
          await merged(first, second);
          return harness.ledger.SpendPoints(request);
        },
      });
      const { redemptions } = replica;
      const late: typeof redemptions = {
        ...redemptions,
        insertAll: async (...args) => {
          await merged(second, third);
          dying.arm();
          return redemptions.insertAll(...args);
        },
      };
      const redeeming = harness.redeem(reward.id, first, {
        deps: { ...replica, redemptions: late },
      });
      await Promise.race([redeeming, dying.died]);
      harness.clock.advanceMs(ABANDONED_MS + 1);
      await workOffJob(jobs(harness.deps), 'recover-attempts');
      const left = [await redemptionsOf(first), await redemptionsOf(second)];
      expect([death, ...left.map(({ total_count }) => total_count)]).toEqual([death, 0, 0]);
      expect([death, await broken(harness)]).toEqual([death, []]);
      return !dying.isDead();
    });
    expect(calls).toBeGreaterThan(3);
  },
  300_000,
);

/** Redeems for a client that departs when its redemption has been made up and is about to be written. */
async function redeemWhile(client: string, depart: () => Promise<void>): Promise<void> {
  const reward = await harness.newReward({ code_pattern: 'C{RAND:8}' });
  const { departures } = harness.deps;
  let isGone = false;
  const late: typeof departures = {
    ...departures,
    currentOf: async (...args) => {
      const before = await departures.currentOf(...args);
      if (!isGone) await depart();
      isGone = true;
      return before;
    },
  };
  const metadata = { name: 'Ada' };
  await harness.redeem(reward.id, client, {
    metadata,
    deps: { ...harness.deps, departures: late },
  });
}

test('a client anonymized while its redemption is written leaves no metadata in it', async () => {
  const client = harness.newClient(20);
  await redeemWhile(client, () => tell('clients.anonymized', { client_id: client }));
  const [kept] = (await redemptionsOf(client)).redemptions;
  expect(kept).toMatchObject({ metadata: {}, coupon_status: 'issued', points_spent: 10 });
});

test('a client deleted while its redemption is written leaves no metadata and no valid coupon', async () => {
  const client = harness.newClient(20);
  const data = { client_id: client, external_identities: [] };
  await redeemWhile(client, () => tell('clients.deleted', data));
  const [kept] = (await redemptionsOf(client)).redemptions;
  expect(kept).toMatchObject({ metadata: {}, coupon_status: 'void' });
});

test('a client merged and then anonymized while its redemption is written leaves no metadata', async () => {
  const [source, target] = [harness.newClient(20), harness.newClient(20)];
  await redeemWhile(source, async () => {
    await tell('clients.merged', { source_client_id: source, target_client_id: target });
    await tell('clients.anonymized', { client_id: target });
  });
  expect((await redemptionsOf(target)).redemptions).toMatchObject([{ metadata: {} }]);
});

test('a client whose merge is heard of after its target’s erasure leaves no metadata', async () => {
  const [source, target] = [harness.newClient(20), harness.newClient(20)];
  const reward = await harness.newReward();
  await harness.redeem(reward.id, source, { metadata: { name: 'Ada' } });
  await tell('clients.anonymized', { client_id: target });
  await tell('clients.merged', { source_client_id: source, target_client_id: target });
  expect((await redemptionsOf(target)).redemptions).toMatchObject([{ metadata: {} }]);
});

test('an attempt that was left behind keeps no metadata of an anonymized client', async () => {
  const client = harness.newClient(20);
  const reward = await harness.newReward();
  const SpendPoints = () => Promise.reject(new Error('the process died here'));
  const deps = { ...harness.deps, ledger: { ...harness.ledger, SpendPoints } };
  const metadata = { name: 'Ada' };
  await harness.redeem(reward.id, client, { metadata, deps }).catch(() => undefined);
  const attemptOf = async () =>
    (await harness.rows<{ client_id: string }>('attempts')).find((row) => row.client_id === client);
  expect(await attemptOf()).toMatchObject({ metadata });
  await tell('clients.anonymized', { client_id: client });
  expect(await attemptOf()).toMatchObject({ metadata: {} });
});

test('an anonymized client keeps redemptions without metadata, a deleted one’s coupons are void', async () => {
  const client = harness.newClient(20);
  const reward = await harness.newReward({ code_pattern: 'C{RAND:8}' });
  await harness.redeem(reward.id, client, { metadata: { name: 'Ada' } });
  await tell('clients.anonymized', { client_id: client });
  const [kept] = (await redemptionsOf(client)).redemptions;
  expect(kept).toMatchObject({ metadata: {}, coupon_status: 'issued', points_spent: 10 });
  await tell('clients.deleted', { client_id: client, external_identities: [] });
  expect((await redemptionsOf(client)).redemptions[0]!.coupon_status).toBe('void');
});

test('a coupon of a deleted client does not come back to life by marking it used and taking that back', async () => {
  const client = harness.newClient(40);
  const reward = await harness.newReward({ code_pattern: 'C{RAND:8}' });
  const { workspaceId: workspace_id, deps } = harness;
  const mark = (id: string, used: boolean) => useRedemption(deps, { workspace_id, id, used });
  const open = await harness.redeem(reward.id, client);
  const taken = await harness.redeem(reward.id, client);
  await mark(taken.redemption!.id, true);
  await tell('clients.deleted', { client_id: client, external_identities: [] });
  await expect(mark(open.redemption!.id, true)).rejects.toThrow('the coupon is void');
  expect((await mark(taken.redemption!.id, false)).coupon).toMatchObject({ status: 'void' });
  await expect(mark(taken.redemption!.id, true)).rejects.toThrow('the coupon is void');
});

test('the export of a person holds the redemptions with their codes', async () => {
  const client = harness.newClient(20);
  const reward = await harness.newReward({ code_pattern: 'C{RAND:8}' });
  const { redemption, coupon } = await harness.redeem(reward.id, client);
  const request = { workspace_id: harness.workspaceId, client_id: client };
  expect(await exportClient(harness.deps, request)).toEqual({
    data: { redemptions: [{ ...redemption, coupon_code: coupon!.code }] },
  });
  const elsewhere = { ...request, workspace_id: newId() };
  expect(await exportClient(harness.deps, elsewhere)).toEqual({ data: { redemptions: [] } });
});

test('of a deleted workspace nothing stays', async () => {
  const { workspaceId } = harness;
  const client = harness.newClient(20);
  await harness.redeem((await harness.newReward({ code_pattern: 'C{RAND:8}' })).id, client);
  const data = { workspace_id: workspaceId };
  await deliver(
    createEvent('identity.workspace_deleted', { workspaceId, subject: workspaceId, data }),
  );
  // Events and kept answers end by themselves.
  const own = collections.filter((each) => !ofEveryService.includes(each));
  for (const { collection } of own)
    expect([collection, await harness.rows(collection)]).toEqual([collection, []]);
});
