import type { Wish } from './machine';
import { openWishStore } from './store';

const ROWS = new Map<string, Wish>();
let opened = 0;
let isClosed = false;

/** As much of a browser's database as the store asks for; it may be closed from outside. */
function databaseOf(): object {
  opened += 1;
  const own = opened;
  return {
    transaction: () => {
      if (isClosed && own === 1) throw new DOMException('closed', 'InvalidStateError');
      const transaction = { oncomplete: () => undefined, objectStore: () => rows };
      const done = (result: unknown) => {
        queueMicrotask(() => transaction.oncomplete());
        return { result };
      };
      const rows = {
        getAll: () => done([...ROWS.values()]),
        put: (wish: Wish) => done(ROWS.set(wish.key, wish)),
      };
      return transaction;
    },
  };
}

beforeAll(() => {
  const indexedDB = {
    open: () => {
      const request = { result: databaseOf(), onsuccess: () => undefined };
      queueMicrotask(() => request.onsuccess());
      return request;
    },
  };
  Object.assign(globalThis, { indexedDB });
});

test('a store that the browser has closed is opened again, and keeps the next wish', async () => {
  const store = await openWishStore();
  await store.put({ key: 'a' } as Wish);
  isClosed = true;
  await Promise.all([store.put({ key: 'b' } as Wish), store.put({ key: 'c' } as Wish)]);
  expect((await store.all()).map(({ key }) => key)).toEqual(['a', 'b', 'c']);
  expect(opened).toBeGreaterThan(1);
});
