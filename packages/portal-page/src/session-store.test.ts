import { createSessionStore } from './session-store.ts';

const memory = () => {
  const rows = new Map<string, string>();
  return {
    getItem: (key: string) => rows.get(key) ?? null,
    setItem: (key: string, value: string) => void rows.set(key, value),
    removeItem: (key: string) => void rows.delete(key),
  };
};

describe('the session', () => {
  test('lasts from one visit to the next, until it is cleared', () => {
    const storage = memory();
    createSessionStore('cafe', () => storage).write('token');
    const next = createSessionStore('cafe', () => storage);
    expect(next.read()).toBe('token');
    next.clear();
    expect([next.read(), createSessionStore('cafe', () => storage).read()]).toEqual([null, null]);
  });

  test('of one shop is not that of another', () => {
    const storage = memory();
    createSessionStore('cafe', () => storage).write('token');
    expect(createSessionStore('bakery', () => storage).read()).toBeNull();
  });

  test('lasts as long as the page where the browser keeps nothing', () => {
    const store = createSessionStore('cafe', () => {
      throw new Error('storage is blocked');
    });
    expect(store.read()).toBeNull();
    store.write('token');
    expect(store.read()).toBe('token');
    store.clear();
    expect(store.read()).toBeNull();
  });
});
