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

/** Browsers close a database by themselves: a phone short of memory, a profile that is cleared. It is opened again then. */
export async function openWishStore(name = 'laurel-till'): Promise<WishStore> {
  let database = await open(name);
  let opening: Promise<IDBDatabase> | null = null;
  async function openAgain(): Promise<void> {
    opening ??= open(name).finally(() => {
      opening = null;
    });
    database = await opening;
  }
  // A wish that is only on its way to the disk could be lost after it was sent.
  const begin = (mode: IDBTransactionMode): IDBTransaction =>
    database.transaction(WISHES, mode, { durability: 'strict' });
  async function run<T>(
    mode: IDBTransactionMode,
    work: (rows: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T> {
    let transaction: IDBTransaction;
    try {
      transaction = begin(mode);
    } catch {
      // Nothing of the work has begun: a database that is closed gives no transaction.
      await openAgain();
      transaction = begin(mode);
    }
    return new Promise((resolve, reject) => {
      const request = work(transaction.objectStore(WISHES));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
    });
  }
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
