import { costsOf, mediansOf, PAIRS, ratiosOf, renderCosts } from './ratios.mjs';

const row = (name: string, perSecond: number, errors = 0) => ({
  name,
  mode: '',
  inFlight: 32,
  measured: {
    perSecond,
    errors,
    p50Ms: 1_000 / perSecond,
    p99Ms: 0,
    operations: 0,
    cpuUs: {},
    ownUs: 0,
    othersCores: 0,
  },
});

test('of several rounds the one in the middle counts, whole, with the errors of all of them', () => {
  const rounds = [row('earn', 100), row('spend', 7), row('earn', 400, 2), row('earn', 200, 1)];
  expect(mediansOf(rounds)).toEqual([row('earn', 200, 3), row('spend', 7)]);
});

test('of two rounds the slower one counts', () => {
  expect(mediansOf([row('earn', 400), row('earn', 100)])).toEqual([row('earn', 100)]);
});

test('a ratio is our rate over that of the peer, held to what the pair must reach', () => {
  const medians = [row('spend', 500), row('medici, guarded spend', 20), row('earn', 300)];
  expect(ratiosOf(medians, 'one process')).toEqual([
    {
      name: 'spend / medici, guarded spend',
      mode: 'one process',
      value: 25,
      must: 20,
      goal: 40,
    },
  ]);
});

test('every pair wants more for its goal than it must reach', () => {
  expect(PAIRS.filter(({ must, goal }) => goal <= must)).toEqual([]);
});

test('a cost is that of the processes that did the work, not of the other side at rest', () => {
  const costing = (name: string, cpuUs: Record<string, number>) => {
    const { measured, ...rest } = row(name, 1);
    return { ...rest, measured: { ...measured, cpuUs } };
  };
  const costs = costsOf([
    costing('get client', { 'all-in-one': 300, documentdb: 100, directus: 7 }),
    costing('Directus, get', { directus: 1_500, 'directus-postgres': 500, 'all-in-one': 9 }),
    costing('spend', { 'all-in-one': 300 }),
    costing('medici, guarded spend', { documentdb: 9_000, directus: 40 }),
  ]);
  expect(costs).toEqual([
    { ours: 'get client', peer: 'Directus, get', oursUs: 400, peerUs: 2_000 },
  ]);
  expect(renderCosts(costs)).toContain('| get client / Directus, get | 400 | 2000 | 5.00 |');
});
