import { platform } from '@laurel/errors';
import { type Context, newId, runInContext, systemContext } from '@laurel/lifecycle';
import { type TestStore, testStore } from '@laurel/testing';
import {
  checkAndCommitOnce,
  commitEachOnce,
  commitInParts,
  commitOnce,
  holdKey,
  operations,
} from './operations';

const DAY_MS = 86_400_000;

let store: TestStore;
beforeEach(async () => {
  store = await testStore([operations]);
});
afterEach(() => store.drop());

test('a repeat under the same key is answered with the first reply for a week, and does nothing', async () => {
  const context = { ...systemContext({ operationId: newId() }), operationKept: true };
  let effects = 0;
  const work = () =>
    commitOnce(
      store.connection,
      async () => {
        effects += 1;
        return effects;
      },
      context,
    );
  expect([await work(), await work()]).toEqual([1, 1]);
  await store.expire(new Date(Date.now() + 6.9 * DAY_MS));
  expect(await work()).toBe(1);
  await store.expire(new Date(Date.now() + 7.1 * DAY_MS));
  expect(await work()).toBe(2);
});

test('of several operations in one transaction only those are done that were not yet, each answered with its own reply', async () => {
  const kept = () => ({ ...systemContext({ operationId: newId() }), operationKept: true });
  const [first, second, free] = [kept(), kept(), systemContext()];
  const asked: number[][] = [];
  const commit = (contexts: readonly Context[], round: string) =>
    commitEachOnce(store.connection, contexts, async (_, fresh) => {
      asked.push([...fresh]);
      return fresh.map((at) => `${round}${at}`);
    });
  expect(await commit([first, free], 'a')).toEqual(['a0', 'a1']);
  expect(await commit([second, first, free], 'b')).toEqual(['b0', 'a0', 'b2']);
  expect(await commit([first, second], 'c')).toEqual(['a0', 'b0']);
  expect(asked).toEqual([
    [0, 1],
    [0, 2],
  ]);
  expect(await commitOnce(store.connection, async () => 'again', second)).toBe('b0');
});

test('what is refused by now does not refuse the repeat of what took effect, and refuses everybody else', async () => {
  let isRefused = false;
  const checks = async () => {
    if (isRefused) throw platform.invalidPayload({ message: 'is gone' });
    return 'checked';
  };
  const commit = (operationId: string, operationKept = true) =>
    runInContext({ ...systemContext({ operationId }), operationKept }, () =>
      checkAndCommitOnce(store.connection, checks, async (_, checked) => ({ checked })),
    );
  const [done, other] = [newId(), newId()];
  expect(await commit(done)).toEqual({ checked: 'checked' });
  isRefused = true;
  expect(await commit(done)).toEqual({ checked: 'checked' });
  await expect(commit(other)).rejects.toMatchObject({ code: 'INVALID_PAYLOAD' });
  await expect(commit(done, false)).rejects.toMatchObject({ code: 'INVALID_PAYLOAD' });
});

test('a no that its own first try brought about, committed meanwhile by a process that was taken for dead, is no answer', async () => {
  const context = { ...systemContext({ operationId: newId() }), operationKept: true };
  const first = () => commitOnce(store.connection, async () => 'done', context);
  const refused = async () => {
    await first();
    throw platform.invalidPayload({ message: 'is done already' });
  };
  expect(await commitOnce(store.connection, refused, context)).toBe('done');
  const other = { ...systemContext({ operationId: newId() }), operationKept: true };
  await expect(commitOnce(store.connection, refused, other)).rejects.toMatchObject({
    code: 'INVALID_PAYLOAD',
  });
});

test('another request under a key that was used is refused, alone and beside others, and leaves the key to the first', async () => {
  const operationId = newId();
  const asked = (fingerprint: string) => ({
    ...systemContext({ operationId, fingerprint }),
    operationKept: true,
  });
  const commit = (context: Context) => commitOnce(store.connection, async () => 'done', context);
  const refused = { code: 'CONFLICT', problems: [{ field: 'Idempotency-Key' }] };
  expect(await commit(asked('first'))).toBe('done');
  await expect(commit(asked('other'))).rejects.toMatchObject(refused);
  const each = (contexts: readonly Context[]) =>
    commitEachOnce(store.connection, contexts, async (_, fresh) => fresh.map(() => 'fresh'));
  await expect(each([systemContext(), asked('other')])).rejects.toMatchObject(refused);
  expect(await each([systemContext(), asked('first')])).toEqual(['fresh', 'done']);
  expect(await commit(asked('first'))).toBe('done');
});

test('a key that was used days ago still stands for its request; a release without fingerprints is answered by the key alone', async () => {
  const contextOf = (operationId: string, fingerprint?: string) => ({
    ...systemContext({ operationId, ...(fingerprint === undefined ? {} : { fingerprint }) }),
    operationKept: true,
  });
  const commit = (context: Context) => commitOnce(store.connection, async () => 'done', context);
  const [old, unnamed] = [newId(), newId()];
  await commit(contextOf(old, 'first'));
  const madeAt = { expires_at: new Date(Date.now() + 5.9 * DAY_MS) };
  await store.connection
    .collection<{ _id: string }>('operations')
    .updateOne({ _id: old }, { $set: madeAt });
  await commit(contextOf(unnamed));
  await expect(commit(contextOf(old, 'other'))).rejects.toMatchObject({
    code: 'CONFLICT',
    problems: [{ field: 'Idempotency-Key' }],
  });
  const asked = [contextOf(old, 'first'), contextOf(unnamed, 'other'), contextOf(old)];
  for (const context of asked) expect(await commit(context)).toBe('done');
});

test('work in parts holds its key: a repeat goes on, another request is refused, and without a key nothing is noted', async () => {
  const asked = (fingerprint: string, operationId: string) => ({
    ...systemContext({ operationId, fingerprint }),
    operationKept: true,
  });
  const key = newId();
  for (const _ of [1, 2]) await holdKey(store.connection, asked('first', key));
  await expect(holdKey(store.connection, asked('other', key))).rejects.toMatchObject({
    code: 'CONFLICT',
    problems: [{ field: 'Idempotency-Key' }],
  });
  await holdKey(store.connection, systemContext());
  expect(await store.connection.collection('operations').countDocuments()).toBe(1);
});

test('work in more than one transaction goes on with what it began with, and once it has answered nothing more is done', async () => {
  const key = newId();
  const asked = (fingerprint: string) => ({
    ...systemContext({ operationId: key, fingerprint }),
    operationKept: true,
  });
  const begun: string[] = [];
  const done: string[] = [];
  let isDying = true;
  const work = (context: Context = asked('first')) =>
    runInContext(context, () =>
      commitInParts(
        store.connection,
        async () => {
          begun.push(newId());
          return begun.at(-1)!;
        },
        async (about) => {
          done.push(about);
          if (isDying) throw new Error('killed');
          return `${about} ${done.length}`;
        },
      ),
    );
  await expect(work()).rejects.toThrow('killed');
  isDying = false;
  await expect(work(asked('other'))).rejects.toMatchObject({ code: 'CONFLICT' });
  const [one, other] = await Promise.all([work(), work()]);
  expect(other).toBe(one);
  const [first] = begun;
  expect(done).toEqual(done.map(() => first));
  const before = done.length;
  expect(await work()).toBe(one);
  expect(done).toHaveLength(before);
  await expect(work(asked('other'))).rejects.toMatchObject({ code: 'CONFLICT' });
  const unnamed = systemContext({ operationId: key });
  expect(await work(unnamed)).not.toBe(await work(unnamed));
});
