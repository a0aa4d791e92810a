import { CORRUPTIONS } from './corruptions/index.mjs';
import { checkAll, INVARIANTS } from './invariants.mjs';
import { isBound } from './messages.mjs';
import { smallWorld } from './story.mjs';

const world = smallWorld();

test.each(INVARIANTS.map(({ name, says }) => [name, says]))(
  '%s holds in a sound world: %s',
  (name) => {
    const found = checkAll(world).find((one) => one.name === name);
    expect(found?.violations).toEqual([]);
    expect(found?.checked).toBeGreaterThan(0);
  },
);

test.each(CORRUPTIONS.map(({ caughtBy, name, plant }) => [caughtBy, name, plant] as const))(
  '%s notices that %s',
  (caughtBy, _, plant) => {
    const harm = plant(world);
    expect(harm).not.toBeNull();
    const { check } = INVARIANTS.find(({ name }) => name === caughtBy)!;
    expect(check({ ...world, ...harm }).violations).not.toEqual([]);
  },
);

test('every invariant is proven by at least one corruption', () => {
  const proven = new Set(CORRUPTIONS.map(({ caughtBy }) => caughtBy));
  expect(INVARIANTS.filter(({ name }) => !proven.has(name))).toEqual([]);
});

test.each([
  ['#', 'loyalty.points_earned', true],
  ['loyalty.*', 'loyalty.points_earned', true],
  ['loyalty.*', 'custom.a.b', false],
  ['custom.*', 'custom.a.b', false],
  ['custom.#', 'custom.a.b', true],
  ['loyalty.points_earned', 'loyalty.points_spent', false],
])('a queue bound to %s is sent %s: %s', (pattern, key, sent) => {
  expect(isBound(pattern, key)).toBe(sent);
});
