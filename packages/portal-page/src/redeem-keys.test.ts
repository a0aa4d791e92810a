import { createRedeemKeys } from './redeem-keys.ts';

function tab() {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  };
  /** The page is loaded, or loaded anew. */
  return { kept, load: (slug = 'cafe') => createRedeemKeys(slug, () => storage) };
}

describe('the key of a redemption', () => {
  test('stays until its answer is there, though the page is loaded anew meanwhile', () => {
    const { load } = tab();
    const key = load().keyOf('bun');
    expect(load().keyOf('bun')).toBe(key);
    expect(load().keyOf('cake')).not.toBe(key);
    load().settle('bun');
    expect(load().keyOf('bun')).not.toBe(key);
  });

  test('is of one client of one shop', () => {
    const { load, kept } = tab();
    const key = load().keyOf('bun');
    expect(load('bar').keyOf('bun')).not.toBe(key);
    load().forget();
    load('bar').forget();
    expect([...kept]).toEqual([]);
  });

  test('is kept by the page alone where the browser keeps nothing, or something else', () => {
    const refusing = createRedeemKeys('cafe', () => {
      throw new Error('no storage');
    });
    expect(refusing.keyOf('bun')).toBe(refusing.keyOf('bun'));
    const { load, kept } = tab();
    kept.set('laurel.portal.cafe.wishes', '{');
    expect(load().keyOf('bun')).toMatch(/^[\da-f]{32}$/);
  });
});
