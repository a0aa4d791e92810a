import { newId } from '@laurel/lifecycle';
import { type Session, unitOfWork } from '@laurel/mongo';
import { until } from '@laurel/testing';
import { batchOf } from '../consumer/types';
import type { CloudEvent } from '../envelope';
import { anonymized, Harness } from '../testing/harness';
import { Replica } from '../testing/replica';

const CLIENTS = 120;
const EVENTS_OF_EACH = 20;
/** Events of one client that commit together. */
const AT_ONCE = 2;
const WRITERS = 12;

/** Some thousand commits, with a death in the middle. */
jest.setTimeout(240_000);

interface Seen {
  _id: string;
  numbers: number[];
}

describe('three replicas that write, relay and consume', () => {
  let harness: Harness;
  let replicas: Replica[];

  beforeEach(async () => {
    harness = await Harness.open();
    await harness.connection.createCollection('seen');
    replicas = await Promise.all([1, 2, 3].map(() => Replica.start(harness)));
  });
  afterEach(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await harness.close();
  });

  const seen = () => harness.connection.collection<Seen>('seen');

  /** Notes in the store, client by client, in which order events took effect. */
  async function note(
    { connection }: Replica,
    session: Session,
    events: readonly CloudEvent[],
  ): Promise<void> {
    const byClient = new Map<string, number[]>();
    for (const { subject, data } of events) {
      const numbers = byClient.get(subject) ?? [];
      byClient.set(subject, [...numbers, (data as { number: number }).number]);
    }
    const writes = [...byClient].map(([client, numbers]) => ({
      updateOne: {
        filter: { _id: client },
        update: { $push: { numbers: { $each: numbers } } },
        upsert: true,
      },
    }));
    await connection.collection<Seen>('seen').bulkWrite(writes, { session });
  }

  async function consumeWithAll(): Promise<void> {
    const queue = harness.orderedQueueName();
    for (const replica of replicas)
      await replica.consume(queue, {
        batch: batchOf(['#'], (_, once) => once((session, fresh) => note(replica, session, fresh))),
      });
  }

  test('keep the events of each client in order, lose none and double none, though one of them is killed', async () => {
    await consumeWithAll();
    await until(() => replicas.every(({ slots }) => slots.held().length >= 4));
    const clients = Array.from({ length: CLIENTS }, () => newId());
    const total = CLIENTS * EVENTS_OF_EACH;
    let written = 0;
    let turn = 0;
    const alive = [...replicas];
    const writeFrom = async (client: string, first: number) => {
      const events = Array.from({ length: AT_ONCE }, (_, more) => ({
        ...anonymized(client),
        data: { client_id: client, number: first + more },
      }));
      const { connection, outbox } = alive[turn++ % alive.length]!;
      await unitOfWork(connection, (session) => outbox.append(events, session));
      written += AT_ONCE;
      if (written === total / 2) alive.shift()?.kill();
    };
    const waiting = [...clients];
    const write = async () => {
      for (let client = waiting.pop(); client; client = waiting.pop())
        for (let number = 0; number < EVENTS_OF_EACH; number += AT_ONCE)
          await writeFrom(client, number);
    };
    await Promise.all(Array.from({ length: WRITERS }, write));
    const arrived = async () =>
      (await seen().find().toArray()).reduce((sum, { numbers }) => sum + numbers.length, 0);
    await until(async () => (await arrived()) >= total, { withinMs: 120_000, everyMs: 200 });
    const inOrder = Array.from({ length: EVENTS_OF_EACH }, (_, number) => number);
    const found = new Map((await seen().find().toArray()).map((row) => [row._id, row.numbers]));
    expect(clients.map((client) => found.get(client))).toEqual(clients.map(() => inOrder));
    await until(() => alive.every(({ slots }) => slots.held().length === 8));
  });
});
