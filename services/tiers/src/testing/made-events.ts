import {
  type ClientSnapshot,
  type CloudEvent,
  createEvent,
  type EventMap,
  type EventType,
} from '@laurel/events';
import { newId } from '@laurel/lifecycle';
import type { testClock } from '@laurel/testing';

/** What the clients of a test and the events about them share. */
export interface World {
  clock: ReturnType<typeof testClock>;
  workspaceId: string;
  /** Of each client that was introduced. */
  standings: Map<string, { status: string; loyalty_program_enabled: boolean; revision?: number }>;
}

/** Makes the events that this service follows, each a moment after the one before. */
export function createMadeEvents(world: World) {
  const { standings } = world;
  return {
    client(id: string, overrides: Partial<ClientSnapshot> = {}): CloudEvent {
      const client = snapshotOf(world, id, overrides);
      const { status, loyalty_program_enabled } = client;
      standings.set(id, { status, loyalty_program_enabled });
      const data = { client_id: id, client, changed_fields: [] };
      return next(world, 'clients.updated', { subject: id, data });
    },
    ...createActivityEvents(world),
    ...createDepartures(world),
    pass: (
      {
        passId,
        clientId,
        templateId,
      }: { passId: string; clientId: string | null; templateId: string },
      type: 'created' | 'updated' | 'deleted' = 'created',
    ) =>
      next(world, `passes.pass_${type}`, {
        subject: passId,
        data: {
          pass_id: passId,
          client_id: clientId,
          pass_template_id: templateId,
          project_id: newId(),
        },
      }),
  };
}

/** A client as the clients service tells of it. */
export function snapshotOf(
  { clock, workspaceId }: World,
  id: string,
  overrides: Partial<ClientSnapshot> = {},
): ClientSnapshot & { custom_fields: never } {
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

function next<Type extends EventType>(
  { clock, workspaceId }: World,
  type: Type,
  { subject, data }: { subject: string; data: EventMap[Type] },
): CloudEvent {
  clock.advanceMs(1);
  return createEvent(type, { workspaceId, subject, data, time: clock.now() });
}

function createDepartures(world: World) {
  return {
    merged: (source: string, target: string) =>
      next(world, 'clients.merged', {
        subject: target,
        data: { source_client_id: source, target_client_id: target },
      }),
    anonymized: (id: string) =>
      next(world, 'clients.anonymized', { subject: id, data: { client_id: id } }),
    deleted: (id: string) => {
      world.standings.delete(id);
      const data = { client_id: id, external_identities: [] };
      return next(world, 'clients.deleted', { subject: id, data });
    },
  };
}

function createActivityEvents(world: World) {
  const points =
    (type: 'loyalty.points_earned' | 'loyalty.points_adjusted') =>
    (clientId: string, amount: number, code = 'points'): CloudEvent =>
      next(world, type, {
        subject: clientId,
        data: {
          client_id: clientId,
          points_delta: amount,
          entry: { ...entryOf(world, clientId, amount), type: TYPE_OF_ENTRY[type] },
          wallet: walletOf(code, amount),
        },
      });
  const transaction =
    (type: 'purchase' | 'refund') =>
    (clientId: string, amount: number, at = world.clock.now()): CloudEvent =>
      next(world, `transaction.${type}`, {
        subject: clientId,
        data: { ...trailEntryOf(world, clientId, at), event_type: type, amount, currency: 'EUR' },
      });
  return {
    earned: points('loyalty.points_earned'),
    adjusted: points('loyalty.points_adjusted'),
    purchase: transaction('purchase'),
    refund: transaction('refund'),
  };
}

const TYPE_OF_ENTRY = {
  'loyalty.points_earned': 'earn',
  'loyalty.points_adjusted': 'adjust',
} as const;

function entryOf({ clock, workspaceId }: World, clientId: string, amount: number) {
  return {
    id: newId(),
    client_wallet_id: newId(),
    client_id: clientId,
    workspace_id: workspaceId,
    amount,
    balance_after: amount,
    status: 'active' as const,
    source_type: 'manual' as const,
    source_id: null,
    external_id: null,
    expires_at: null,
    description: null,
    metadata: {},
    created_at: clock.now().toISOString(),
    sequence: 1,
  };
}

function walletOf(code: string, amount: number) {
  return {
    id: newId(),
    wallet_type_id: newId(),
    wallet_type_code: code,
    active_balance: amount,
    pending_balance: 0,
    locked_balance: 0,
    total_earned: amount,
    total_spent: 0,
    total_expired: 0,
  };
}

function trailEntryOf({ workspaceId }: World, clientId: string, at: Date) {
  return {
    id: newId(),
    workspace_id: workspaceId,
    pass_id: null,
    client_id: clientId,
    event_category: 'transaction' as const,
    event_timestamp: at.toISOString(),
    source: 'api',
    external_id: null,
    metadata: {},
    field_name: null,
    old_value: null,
    new_value: null,
    client_metrics: null,
  };
}
