import { createAskedCode } from './asked-code.ts';

function tab() {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  };
  /** The page is loaded, or loaded anew. */
  return (slug = 'cafe', minute = 0) =>
    createAskedCode(
      slug,
      () => storage,
      () => minute * 60_000,
    );
}

describe('the address that a code was sent to', () => {
  test('is known when the page is loaded anew, at its shop, until it is forgotten', () => {
    const load = tab();
    expect(load().read()).toBeNull();
    load().write('ada@example.com');
    expect([load().read(), load('bar').read()]).toEqual(['ada@example.com', null]);
    load().forget();
    expect(load().read()).toBeNull();
  });

  test('is of no use once the code is good no longer', () => {
    const load = tab();
    load().write('ada@example.com');
    expect([load('cafe', 9).read(), load('cafe', 10).read()]).toEqual(['ada@example.com', null]);
  });

  test('is asked for again where the browser keeps nothing', () => {
    const asked = createAskedCode('cafe', () => {
      throw new Error('storage is blocked');
    });
    asked.write('ada@example.com');
    asked.forget();
    expect(asked.read()).toBeNull();
  });
});
