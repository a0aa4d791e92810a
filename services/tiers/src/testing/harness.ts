import { platform } from '@laurel/errors';
import {
  type ClientSnapshot,
  type CloudEvent,
  createEvent,
  createOutbox,
  type EventMap,
  type EventType,
  inboxIndexes,
  type OnceForBatch,
  outboxIndexes,
} from '@laurel/events';
import { newId } from '@laurel/lifecycle';
import { operationIndexes, unitOfWork } from '@laurel/mongo';
import type { tiers as api } from '@laurel/rpc';
import { nothingReferenced, silentLogger, testClock, testStore } from '@laurel/testing';
import { collections } from '../collections';
import { createStores, type Deps } from '../deps';
import { createTier } from '../use-cases/create-tier';
import { createTierSet } from '../use-cases/create-tier-set';
import { followMembers } from '../use-cases/follow-members';
import { LEASE_MS, type Pace, runResync } from '../use-cases/run-resync';

export type Harness = Awaited<ReturnType<typeof createHarness>>;

/** Runs jobs as fast as they can. */
export const FAST = { perSecond: 1_000_000, isStopping: () => false };

/** The use cases on a database of the test's own. Clients exist as soon as a test introduces them. */
export async function createHarness() {
  const store = await testStore([...collections, outboxIndexes, inboxIndexes, operationIndexes]);
  const clock = testClock();
  const workspaceId = newId();
  const standings = new Map<string, { status: string; loyalty_program_enabled: boolean }>();
  const deps: Deps = {
    ...createStores(store.connection),
    outbox: createOutbox(store.connection),
    clock,
    logger: silentLogger,
    clients: {
      GetClientStanding: async ({ client_id }) => {
        const standing = standings.get(client_id);
        if (!standing) throw platform.recordNotFound();
        return standing;
      },
      GetClients: async ({ ids }) => ({
        clients: ids.filter((id) => standings.has(id)).map((id) => snapshot(id)),
      }),
    },
    passTemplates: { GetTemplates: async () => ({ templates: [] }) },
    ledger: { ListWalletTypes: async () => ({ wallet_types: [] }) },
    references: nothingReferenced,
  };

  function snapshot(
    id: string,
    overrides: Partial<ClientSnapshot> = {},
  ): ClientSnapshot & {
    custom_fields: never;
  } {
    return {
      id,
      workspace_id: workspaceId,
      first_name: 'Ada',
      last_name: 'Example',
      email: null,
      phone: null,
      birth_date: null,
      status: 'active',
      marketing_consent: false,
      marketing_consent_at: null,
      marketing_consent_source: null,
      marketing_consent_text: null,
      custom_fields: {} as never,
      source: null,
      loyalty_program_enabled: true,
      registration_date: clock.now().toISOString(),
      date_created: clock.now().toISOString(),
      ...(overrides as object),
    };
  }

  const event = <Type extends EventType>(
    type: Type,
    subject: string,
    data: EventMap[Type],
  ): CloudEvent => {
    clock.advanceMs(1);
    return createEvent(type, { workspaceId, subject, data, time: clock.now() });
  };

  const points =
    (type: 'loyalty.points_earned' | 'loyalty.points_adjusted') =>
    (clientId: string, amount: number, code = 'points'): CloudEvent =>
      event(type, clientId, {
        client_id: clientId,
        points_delta: amount,
        entry: {
          id: newId(),
          client_wallet_id: newId(),
          client_id: clientId,
          workspace_id: workspaceId,
          type: type === 'loyalty.points_earned' ? 'earn' : 'adjust',
          amount,
          balance_after: amount,
          status: 'active',
          source_type: 'manual',
          source_id: null,
          external_id: null,
          expires_at: null,
          description: null,
          metadata: {},
          created_at: clock.now().toISOString(),
          sequence: 1,
        },
        wallet: {
          id: newId(),
          wallet_type_id: newId(),
          wallet_type_code: code,
          active_balance: amount,
          pending_balance: 0,
          locked_balance: 0,
          total_earned: amount,
          total_spent: 0,
          total_expired: 0,
        },
      });

  const transaction =
    (type: 'purchase' | 'refund') =>
    (clientId: string, amount: number, at = clock.now()): CloudEvent =>
      event(`transaction.${type}`, clientId, {
        id: newId(),
        workspace_id: workspaceId,
        pass_id: null,
        client_id: clientId,
        event_category: 'transaction',
        event_type: type,
        event_timestamp: at.toISOString(),
        source: 'api',
        external_id: null,
        metadata: {},
        amount,
        currency: 'EUR',
        field_name: null,
        old_value: null,
        new_value: null,
        client_metrics: null,
      });

  /** As the consumer does: events handled before are left out, in the transaction of the effect. */
  const onceFor =
    (events: readonly CloudEvent[]): OnceForBatch =>
    (effect) =>
      unitOfWork(store.connection, async (session) => {
        const inbox = store.connection.collection<{ _id: string; handled_at: Date }>('inbox');
        const known = await inbox
          .find({ _id: { $in: events.map(({ id }) => id) } }, { session })
          .toArray();
        const handled = new Set(known.map(({ _id }) => _id));
        const fresh = [...new Map(events.map((one) => [one.id, one])).values()].filter(
          ({ id }) => !handled.has(id),
        );
        if (fresh.length === 0) return;
        await inbox.insertMany(
          fresh.map(({ id }) => ({ _id: id, handled_at: new Date() })),
          { session },
        );
        await effect(session, fresh);
      });

  return {
    deps,
    clock,
    workspaceId,
    standings,
    drop: () => store.drop(),

    /** Hands events to the consumer in one delivery. */
    take: (...events: CloudEvent[]) =>
      followMembers(deps, onceFor(events) as Parameters<typeof followMembers>[1]),

    made: {
      client(id: string, overrides: Partial<ClientSnapshot> = {}): CloudEvent {
        const client = snapshot(id, overrides);
        const { status, loyalty_program_enabled } = client;
        standings.set(id, { status, loyalty_program_enabled });
        return event('clients.updated', id, { client_id: id, client, changed_fields: [] });
      },
      earned: points('loyalty.points_earned'),
      adjusted: points('loyalty.points_adjusted'),
      purchase: transaction('purchase'),
      refund: transaction('refund'),
      merged: (source: string, target: string) =>
        event('clients.merged', target, { source_client_id: source, target_client_id: target }),
      anonymized: (id: string) => event('clients.anonymized', id, { client_id: id }),
      deleted: (id: string) => {
        standings.delete(id);
        return event('clients.deleted', id, { client_id: id, external_identities: [] });
      },
      pass: (
        {
          passId,
          clientId,
          templateId,
        }: { passId: string; clientId: string | null; templateId: string },
        type: 'created' | 'updated' | 'deleted' = 'created',
      ) =>
        event(`passes.pass_${type}`, passId, {
          pass_id: passId,
          client_id: clientId,
          pass_template_id: templateId,
          project_id: newId(),
        }),
    },

    async levels(set: Partial<api.CreateTierSetRequest> = {}) {
      await createTierSet(deps, {
        workspace_id: workspaceId,
        name: 'Levels',
        conditions: { items: [{ type: 'total_earned' }] },
        ...set,
      });
      const tier = (
        name: string,
        sort_order: number,
        fields: Partial<api.CreateTierRequest> = {},
      ) => createTier(deps, { workspace_id: workspaceId, name, sort_order, ...fields });
      const tiers = {
        bronze: await tier('Bronze', 0),
        silver: await tier('Silver', 1, { condition_values: { total_earned: 100 } }),
        gold: await tier('Gold', 2, { condition_values: { total_earned: 500 } }),
        vip: await tier('VIP', 3, { kind: 'exclusive' }),
      };
      await this.resync();
      return tiers;
    },

    /** Works off every resync job. */
    async resync(): Promise<void> {
      while ((await workOnResync(deps, FAST)).more);
    },

    member: (id: string) => deps.members.find(workspaceId, id),

    /** Everything told to other services so far, oldest first; with `prefix`, only that. */
    async told(prefix = 'tiers.tier_'): Promise<CloudEvent[]> {
      const rows = await store.connection
        .collection<{ _id: string; event: CloudEvent }>('outbox')
        .find({})
        .sort({ _id: 1 })
        .toArray();
      return rows.map((row) => row.event).filter((one) => one.type.startsWith(prefix));
    },
  };
}

/** Takes up one resync job that is due, and works on it; says whether there was one. */
export async function workOnResync(deps: Deps, pace: Pace): Promise<{ more: boolean }> {
  const room = { count: 1, share: 1, inHand: new Map() };
  const [claimed] = await deps.resyncJobs.due.claim(room, {
    now: deps.clock.now(),
    leaseMs: LEASE_MS,
  });
  if (claimed) await runResync(deps, { job: claimed.row, lease: claimed.lease }, pace);
  return { more: claimed !== undefined };
}
