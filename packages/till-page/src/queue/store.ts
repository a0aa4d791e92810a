import type { Wish } from './machine';

/** Where wishes survive a closed page. Every promise is kept only once the browser has written. */
export interface WishStore {
  all(): Promise<Wish[]>;
  put(wish: Wish): Promise<void>;
  remove(key: string): Promise<void>;
  /** Puts a wish in the place of another in one step; false, and nothing is done, where that is gone by now. */
  replace(key: string, wish: Wish): Promise<boolean>;
}

const WISHES = 'wishes';

export async function openWishStore(name = 'laurel-till'): Promise<WishStore> {
  const database = await open(name);
  const run = <T>(mode: IDBTransactionMode, work: (rows: IDBObjectStore) => IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      // A wish that is only on its way to the disk could be lost after it was sent.
      const transaction = database.transaction(WISHES, mode, { durability: 'strict' });
      const request = work(transaction.objectStore(WISHES));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
    });
  return {
    all: () => run('readonly', (rows) => rows.getAll() as IDBRequest<Wish[]>),
    put: async (wish) => void (await run('readwrite', (rows) => rows.put(wish))),
    remove: async (key) => void (await run('readwrite', (rows) => rows.delete(key))),
    replace: async (key, wish) => {
      const had = await run('readwrite', (rows) => {
        const found = rows.count(key);
        found.onsuccess = () => {
          if (found.result === 0) return;
          rows.delete(key);
          rows.put(wish);
        };
        return found;
      });
      return had > 0;
    },
  };
}

function open(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(WISHES, { keyPath: 'key' });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
