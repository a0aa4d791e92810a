import type { ConsumerSpec } from '@laurel/backend';
import {
  type ClientSnapshot,
  type CloudEvent,
  createEvent,
  createOutbox,
  type EventMap,
  type EventType,
  inboxIndexes,
  listenerFor,
  type Once,
} from '@laurel/events';
import { createInTurn, newId, runInContext, systemContext } from '@laurel/lifecycle';
import { type Connection, isDuplicateKey, type Session, unitOfWork } from '@laurel/mongo';
import type { referrals as api, clients as clientsApi } from '@laurel/rpc';
import { testClock, testStore } from '@laurel/testing';
import { collections } from '../collections';
import { consumers } from '../consumers';
import { createStores, type Deps } from '../deps';
import { refusals } from '../refusals';
import { attribute } from '../use-cases/attribute';
import { getClientReferral } from '../use-cases/get-client-referral';
import { putProgram } from '../use-cases/put-program';

type ClientRecord = clientsApi.Client;

/** The clients service, as far as this one asks it. */
function fakeClients() {
  const records = new Map<string, ClientRecord>();
  return {
    records,
    GetClients: async ({ workspace_id, ids }: clientsApi.ClientIds) => ({
      clients: ids
        .flatMap((id) => records.get(id) ?? [])
        .filter((record) => record.workspace_id === workspace_id),
    }),
    GetClientStanding: async ({ workspace_id, client_id }: clientsApi.ClientRequest) => {
      const record = records.get(client_id);
      if (record?.workspace_id !== workspace_id) throw refusals.referralNotFound();
      const { status, loyalty_program_enabled } = record;
      return { status, loyalty_program_enabled };
    },
  };
}

class AlreadyHandled extends Error {}

/** As the consumer's own: an event that was handled is not handled again. */
function onceFor(connection: Connection, key: string): Once {
  const inbox = connection.collection<{ _id: string; handled_at: Date }>('inbox');
  const note = async (session: Session) => {
    try {
      await inbox.insertOne({ _id: key, handled_at: new Date() }, { session });
    } catch (error) {
      throw isDuplicateKey(error) ? new AlreadyHandled() : error;
    }
  };
  return async (effect) => {
    try {
      return await unitOfWork(connection, async (session) => {
        await note(session);
        return effect(session);
      });
    } catch (error) {
      if (error instanceof AlreadyHandled) return undefined;
      throw error;
    }
  };
}

/** A database that the tests of one file share, as two instances of the service are connected to it. */
export async function openDatabase() {
  const store = await testStore([...collections, inboxIndexes]);
  const connections = [store.connection, await store.connectAgain()] as const;
  return { connections, drop: () => store.drop() };
}

export type Harness = ReturnType<typeof createHarness>;

/** The service's use cases, twice, in a workspace of one test's own. */
export function createHarness(connections: readonly [Connection, Connection]) {
  const clock = testClock();
  const clients = fakeClients();
  const workspaceId = newId();
  let picked = 0;
  const instanceOn = (connection: Connection): Deps => ({
    ...createStores(connection),
    outbox: createOutbox(connection),
    clock,
    clients,
    pickNumber: (below) => {
      picked += 1;
      return Math.floor(Math.random() * below + picked) % below;
    },
    inTurn: createInTurn(),
  });
  const deps = instanceOn(connections[0]);
  const other = instanceOn(connections[1]);
  return {
    deps,
    other,
    clock,
    clients,
    workspaceId,
    ...createFixtures(deps, workspaceId, clients.records),
    ...createEvents(deps, workspaceId),
  };
}

/** What tests set up: clients, the program, and codes that are entered. */
function createFixtures(deps: Deps, workspaceId: string, records: Map<string, ClientRecord>) {
  const client = (fields: Partial<ClientRecord> = {}): ClientRecord => {
    const id = newId();
    const registered = deps.clock.now().toISOString();
    const record: ClientRecord = {
      id,
      workspace_id: workspaceId,
      first_name: 'Ada',
      last_name: null,
      email: `${id}@example.com`,
      phone: null,
      status: 'active',
      marketing_consent: false,
      custom_fields: {},
      loyalty_program_enabled: true,
      registration_date: registered,
      date_created: registered,
      ...fields,
    };
    records.set(id, record);
    return record;
  };

  const codeOf = async (clientId: string): Promise<string> => {
    const request = { workspace_id: workspaceId, client_id: clientId };
    return (await getClientReferral(deps, request)).code!;
  };

  const enter = (
    code: string,
    refereeId: string,
    more: Partial<api.AttributeRequest> & { on?: Deps } = {},
  ): Promise<api.Attribution> => {
    const { on = deps, ...fields } = more;
    const request = { workspace_id: workspaceId, code, referee_client_id: refereeId };
    return runInContext(systemContext(), () =>
      attribute(on, { ...request, already_enrolled: false, ...fields }),
    );
  };

  return {
    client,
    codeOf,
    enter,

    program: (fields: Partial<api.PutProgramRequest> = {}) =>
      putProgram(deps, {
        workspace_id: workspaceId,
        enabled: true,
        completion_criteria: 'first_transaction',
        ...fields,
      }),

    /** A pending referral between two clients, new ones unless given. */
    async referral(referrer = client(), referee = client()): Promise<string> {
      const { outcome, referral_id } = await enter(await codeOf(referrer.id), referee.id);
      if (outcome !== 'applied') throw new Error(`expected a referral, got ${outcome}`);
      return referral_id!;
    },
  };
}

/** What goes in from other services, and what is sent to them. */
function createEvents(deps: Deps, workspaceId: string) {
  return {
    event: <Type extends EventType>(
      type: Type,
      data: EventMap[Type],
      subject = workspaceId,
    ): CloudEvent<Type, EventMap[Type]> =>
      createEvent(type, { workspaceId, subject, data, time: deps.clock.now() }),

    /** Hands an event to whatever listens to it, as the broker does. */
    async deliver(
      event: CloudEvent,
      on: Deps = deps,
      table: readonly ConsumerSpec[] = consumers(on),
    ): Promise<void> {
      for (const spec of table) {
        const listener = listenerFor(spec, event.type);
        await listener?.(event, onceFor(on.connection, `${spec.queue}:${event.id}`));
      }
    },

    /** Everything sent to other services so far, oldest first; with `type`, only that. */
    async told(type?: string): Promise<CloudEvent[]> {
      const rows = await deps.connection
        .collection<{ _id: string; event: CloudEvent }>('outbox')
        .find({ 'event.workspaceid': workspaceId })
        .toArray();
      const events = rows.map((row) => row.event).sort((a, b) => (a.id < b.id ? -1 : 1));
      return type === undefined ? events : events.filter((event) => event.type === type);
    },
  };
}

/** A client as clients.created and clients.updated carry it. */
export function snapshotOf(client: ClientRecord, more: Partial<ClientSnapshot> = {}) {
  const blank = {
    birth_date: null,
    marketing_consent_at: null,
    marketing_consent_source: null,
    marketing_consent_text: null,
    source: null,
  };
  return { ...blank, ...client, ...more } as ClientSnapshot;
}

/** What the trail tells of a purchase or an installation. */
export function trailEvent(
  harness: Pick<Harness, 'workspaceId' | 'clock'>,
  clientId: string | null,
  more: Partial<EventMap['transaction.purchase']> = {},
): EventMap['transaction.purchase'] {
  return {
    id: newId(),
    workspace_id: harness.workspaceId,
    pass_id: null,
    client_id: clientId,
    event_category: 'transaction',
    event_type: 'purchase',
    event_timestamp: harness.clock.now().toISOString(),
    source: 'api',
    external_id: null,
    metadata: {},
    amount: 12.5,
    currency: 'EUR',
    field_name: null,
    old_value: null,
    new_value: null,
    client_metrics: null,
    ...more,
  };
}
