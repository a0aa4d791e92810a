import { newId } from '@laurel/lifecycle';
import { unitOfWork } from '@laurel/mongo';
import { GivenSlots } from '@laurel/testing';
import { EVERY_SLOT, slotOf } from '../slots/slot-of';
import type { Slots } from '../slots/slots';
import { anonymized, Harness } from '../testing/harness';
import { createOutbox, type Outbox } from './outbox';

describe('outboxes whose slots are shared', () => {
  let harness: Harness;

  beforeEach(async () => {
    harness = await Harness.open();
  });
  afterEach(() => {
    jest.restoreAllMocks();
    return harness.close();
  });

  /** An outbox as another process has it, whose relay listens. */
  async function outboxOf(slots: Slots): Promise<{ outbox: Outbox; commit: Commit }> {
    const connection = await harness.store.connectAgain();
    const outbox = createOutbox(connection, slots);
    outbox.onCommit(() => undefined);
    return {
      outbox,
      commit: (...events) => unitOfWork(connection, (session) => outbox.append(events, session)),
    };
  }
  type Commit = (...events: ReturnType<typeof anonymized>[]) => Promise<void>;

  const keys = (claimed: readonly { key: string }[]) => claimed.map(({ key }) => key);

  test('what another replica wrote first goes before what the holder has in memory', async () => {
    const client = newId();
    const [first, second] = [anonymized(client), anonymized(client)];
    const holder = await outboxOf(new GivenSlots([slotOf(first)]));
    const other = await outboxOf(new GivenSlots([]));
    await other.commit(first);
    await holder.commit(second);
    expect(await other.outbox.claim(10, 20_000)).toEqual([]);
    expect(keys(await holder.outbox.claim(10, 20_000))).toEqual([first.id, second.id]);
  });

  test('what the holder writes while it asks the store goes before what another replica wrote after it', async () => {
    const client = newId();
    const [first, second, third] = [anonymized(client), anonymized(client), anonymized(client)];
    const holder = await outboxOf(new GivenSlots([slotOf(first)]));
    const other = await outboxOf(new GivenSlots([]));
    const rows = (holder.outbox as unknown as { rows: { find: Find } }).rows;
    const find = rows.find.bind(rows);
    jest.spyOn(rows, 'find').mockImplementationOnce((...asked) => {
      const cursor = find(...asked);
      const toArray = cursor.toArray.bind(cursor);
      cursor.toArray = async () => {
        await holder.commit(first);
        await other.commit(second);
        const found = await toArray();
        await holder.commit(third);
        return found;
      };
      return cursor;
    });
    const both = keys(await holder.outbox.claim(10, 20_000));
    expect(both).toEqual([first.id, second.id]);
    await holder.outbox.markPublished(both);
    expect(keys(await holder.outbox.claim(10, 20_000))).toEqual([third.id]);
  });
  type Find = (...asked: unknown[]) => { toArray(): Promise<object[]> };

  test('what the holder has in memory goes before a full page of what followed it', async () => {
    const client = newId();
    const [first, second] = [anonymized(client), anonymized(client)];
    const holder = await outboxOf(new GivenSlots([slotOf(first)]));
    const other = await outboxOf(new GivenSlots([]));
    await holder.commit(first);
    await other.commit(second);
    expect(keys(await holder.outbox.claim(1, 20_000))).toEqual([first.id, second.id]);
  });

  test('what waits in a slot that comes goes before what is in memory, though the store was asked a moment ago', async () => {
    const client = newId();
    const [first, second] = [anonymized(client), anonymized(client)];
    const slots = new GivenSlots(EVERY_SLOT.filter((slot) => slot !== slotOf(first)));
    const holder = await outboxOf(slots);
    const other = await outboxOf(new GivenSlots([]));
    await other.commit(first);
    expect(await holder.outbox.claim(10, 20_000)).toEqual([]);
    slots.give(slotOf(first));
    await holder.commit(second);
    expect(keys(await holder.outbox.claim(10, 20_000))).toEqual([first.id, second.id]);
  });

  test('who commits an event of another’s slot says so once, for the holder to be called', async () => {
    const event = anonymized();
    const holder = await outboxOf(new GivenSlots([slotOf(event)]));
    const other = await outboxOf(new GivenSlots([]));
    await holder.commit(event);
    await other.commit(anonymized());
    expect([holder.outbox.takeForOthers?.(), other.outbox.takeForOthers?.()]).toEqual([
      false,
      true,
    ]);
    expect(other.outbox.takeForOthers?.()).toBe(false);
  });

  test('what a replica that died had in memory is its successor’s at once, whatever its lease says', async () => {
    const dead = await outboxOf(new GivenSlots(EVERY_SLOT));
    const event = anonymized();
    await dead.commit(event);
    const successor = await outboxOf(new GivenSlots(EVERY_SLOT.slice(0)));
    expect(keys(await successor.outbox.claim(10, 20_000))).toEqual([event.id]);
  });

  test('a slot is let go only when what was claimed of it has its outcome', async () => {
    const event = anonymized();
    const slots = new GivenSlots([slotOf(event)]);
    const { outbox, commit } = await outboxOf(slots);
    await commit(event);
    await outbox.claim(10, 20_000);
    const steps: string[] = [];
    const letGo = slots.take(slotOf(event)).then(() => steps.push('let go'));
    await outbox.pendingCount();
    steps.push('published');
    await outbox.markPublished([event.id]);
    await letGo;
    expect(steps).toEqual(['published', 'let go']);
  });

  test.each([0, 2_000])(
    'what is given back for %s ms by a clock that is ahead does not wait for that clock once it is set right',
    async (retryInMs) => {
      const event = anonymized();
      const { outbox, commit } = await outboxOf(new GivenSlots(EVERY_SLOT));
      await commit(event);
      const { now } = Date;
      jest.spyOn(Date, 'now').mockImplementation(() => now() + 90_000);
      await outbox.claim(10, 20_000);
      await outbox.release([event.id], retryInMs);
      jest.restoreAllMocks();
      expect(keys(await outbox.claim(10, 20_000))).toEqual([event.id]);
    },
  );

  test('an event whose commit lost its answer goes before what its client did next', async () => {
    const client = newId();
    const [first, second] = [anonymized(client), anonymized(client)];
    const { connection } = harness;
    const outbox = createOutbox(connection, new GivenSlots(EVERY_SLOT));
    outbox.onCommit(() => undefined);
    const unheard = unitOfWork(connection, async (session) => {
      const commit = session.commitTransaction.bind(session);
      session.commitTransaction = async () => {
        await commit();
        const isLabelled = (label: string) => label === 'UnknownTransactionCommitResult';
        throw Object.assign(new Error('connection lost'), { hasErrorLabel: isLabelled });
      };
      await outbox.append([first], session);
    });
    await expect(unheard).rejects.toThrow('the result of a commit is unknown');
    await harness.commit(outbox, second);
    expect(keys(await outbox.claim(10, 20_000))).toEqual([first.id, second.id]);
  });

  test('an event whose commit is seen only once the store was asked goes before what its client did next', async () => {
    const client = newId();
    const [first, second] = [anonymized(client), anonymized(client)];
    const { connection } = harness;
    const outbox = createOutbox(connection, new GivenSlots(EVERY_SLOT));
    outbox.onCommit(() => undefined);
    let arrives = async (): Promise<void> => undefined;
    const unheard = unitOfWork(connection, async (session) => {
      const commit = session.commitTransaction.bind(session);
      const end = session.endSession.bind(session);
      session.commitTransaction = async () => {
        // Given up here, and still on its way to the store.
        session.inTransaction = () => false;
        session.endSession = async () => undefined;
        arrives = async () => {
          Reflect.deleteProperty(session, 'inTransaction');
          await commit();
          await end();
        };
        const isLabelled = (label: string) => label === 'UnknownTransactionCommitResult';
        throw Object.assign(new Error('connection lost'), { hasErrorLabel: isLabelled });
      };
      await outbox.append([first], session);
    });
    await expect(unheard).rejects.toThrow('the result of a commit is unknown');
    expect(await outbox.claim(10, 20_000)).toEqual([]);
    await arrives();
    await harness.commit(outbox, second);
    expect(keys(await outbox.claim(10, 20_000))).toEqual([first.id, second.id]);
  });

  test('a batch that came to no end goes before what its client did next', async () => {
    const client = newId();
    const [first, second] = [anonymized(client), anonymized(client)];
    const { outbox, commit } = await outboxOf(new GivenSlots(EVERY_SLOT));
    await commit(first);
    expect(keys(await outbox.claim(10, 20_000))).toEqual([first.id]);
    await commit(second);
    expect(keys(await outbox.claim(10, 20_000))).toEqual([first.id, second.id]);
  });

  test('what the store did not take back goes before what its client did next', async () => {
    const client = newId();
    const [first, second] = [anonymized(client), anonymized(client)];
    const { outbox, commit } = await outboxOf(new GivenSlots(EVERY_SLOT));
    await commit(first);
    await outbox.claim(10, 20_000);
    const rows = (outbox as unknown as { rows: { updateMany: () => Promise<unknown> } }).rows;
    const written = jest
      .spyOn(rows, 'updateMany')
      .mockRejectedValue(new Error('the store is away'));
    await expect(outbox.release([first.id], 0)).rejects.toThrow('the store is away');
    written.mockRestore();
    await commit(second);
    expect(keys(await outbox.claim(10, 20_000))).toEqual([first.id, second.id]);
  });

  test('an event for which memory had no room goes before what its client did next', async () => {
    const client = newId();
    const [first, second] = [anonymized(client), anonymized(client)];
    const { outbox, commit } = await outboxOf(new GivenSlots(EVERY_SLOT));
    // It has asked the store a moment ago, and would not for a second.
    expect(await outbox.claim(10, 20_000)).toEqual([]);
    const { fresh } = outbox as unknown as { fresh: { hasRoom(): boolean } };
    jest.spyOn(fresh, 'hasRoom').mockReturnValueOnce(false);
    await commit(first);
    await commit(second);
    expect(keys(await outbox.claim(10, 20_000))).toEqual([first.id, second.id]);
  });

  test('large events that wait for the broker wait in the store but for some, and leave in their order', async () => {
    const { outbox, commit } = await outboxOf(new GivenSlots(EVERY_SLOT));
    const [client, note] = [newId(), 'ł'.repeat(20_000)];
    const large = Array.from({ length: 900 }, () =>
      Object.assign(anonymized(client), { data: { client_id: client, note } }),
    );
    for (let at = 0; at < large.length; at += 50) await commit(...large.slice(at, at + 50));
    const rows = harness.connection.collection('outbox');
    expect(await rows.countDocuments({ leased_by: { $ne: null } })).toBeLessThan(800);
    const left: string[] = [];
    while (left.length < large.length) {
      const batch = keys(await outbox.claim(500, 20_000));
      await outbox.markPublished(batch);
      left.push(...batch);
    }
    expect(left).toEqual(large.map(({ id }) => id));
  });

  test('a backlog of another slot is not read through at each look, and events of its own slots are found all the same', async () => {
    const client = newId();
    const slot = slotOf(anonymized(client));
    const theirs = Array.from({ length: 40 }, () => anonymized()).filter(
      (one) => slotOf(one) !== slot,
    );
    const holder = await outboxOf(new GivenSlots([slot]));
    const other = await outboxOf(new GivenSlots([]));
    await other.commit(...theirs);
    const { now } = Date;
    jest.spyOn(Date, 'now').mockImplementation(() => now() + 600_000);
    await holder.outbox.oldestPendingAt();
    const { rows } = holder.outbox as unknown as { rows: { find(filter: object): unknown } };
    const asked = jest.spyOn(rows, 'find');
    const readThrough = async () => {
      await holder.outbox.claim(10, 20_000);
      const { _id = { $exists: true } } = asked.mock.calls.at(-1)![0] as { _id?: never };
      const range = { pending: true, _id };
      return harness.connection.collection('outbox').countDocuments(range);
    };
    expect([await readThrough(), await readThrough()]).toEqual([theirs.length, 0]);
    const late = anonymized(client);
    await other.commit(late);
    expect(keys(await holder.outbox.claim(10, 20_000))).toEqual([late.id]);
  });

  test('a slot that is let go while the store is asked takes its events along', async () => {
    const event = anonymized();
    const slots = new GivenSlots(EVERY_SLOT);
    const holder = await outboxOf(slots);
    const other = await outboxOf(new GivenSlots([]));
    await other.commit(event);
    const claiming = holder.outbox.claim(10, 20_000);
    await slots.take(slotOf(event));
    expect(await claiming).toEqual([]);
    const heir = await outboxOf(new GivenSlots([slotOf(event)]));
    expect(keys(await heir.outbox.claim(10, 20_000))).toEqual([event.id]);
  });
});
