import { kindsOf, planFaults } from './faults.mjs';

const targets = ['documentdb', 'redis', 'rabbitmq', 'tiers', 'ledger', 'gateway'];
const planned = (seconds: number, seed = 7) => planFaults({ seed, seconds, targets }).flat();

test('the same seed plans the same faults, another one others', () => {
  expect(planned(120)).toEqual(planned(120));
  expect(planned(120, 8)).not.toEqual(planned(120));
});

test('who carries money dies twice in a row, the second time while it recovers', () => {
  const again = planned(600).filter(({ action }) => action === 'kill again');
  expect(new Set(again.map(({ target }) => target))).toEqual(new Set(['ledger', 'gateway']));
  expect(again.filter(({ forMs }) => forMs < 50 || forMs > 2_500)).toEqual([]);
});

test('clocks of services that decide by the time jump, only where that can be done', () => {
  const jumps = planFaults({ seed: 7, seconds: 600, targets, withClocks: true })
    .flat()
    .filter(({ action }) => action === 'clock');
  expect(new Set(jumps.map(({ target }) => target))).toEqual(new Set(['tiers']));
  expect(planned(600).filter(({ action }) => action === 'clock')).toEqual([]);
});

test('the disk of the store is filled, only where it has one of its own', () => {
  const filled = planFaults({ seed: 7, seconds: 600, targets, withDisk: true })
    .flat()
    .filter(({ action }) => action === 'disk full');
  expect(new Set(filled.map(({ target }) => target))).toEqual(new Set(['documentdb']));
  expect(planned(600).filter(({ action }) => action === 'disk full')).toEqual([]);
});

test('a minute meets every kind of fault that there is, also where there are many processes', () => {
  const services = ['ledger', 'gateway', 'clients', 'integrations', 'rewards', 'tiers'];
  const many = ['documentdb', 'documentdb-gateway', 'redis', 'rabbitmq', ...services].flatMap(
    (name) => [
      name,
      ...(services.includes(name) ? [2, 3, 4].map((each) => `${name}-${each}`) : []),
    ],
  );
  const options = { targets: many, withClocks: true, withDisk: true };
  for (let seed = 1; seed <= 50; seed += 1) {
    const [minute = []] = planFaults({ ...options, seed, seconds: 60 });
    const met = new Set(minute.map(({ action }) => action));
    expect([...met].toSorted()).toEqual(kindsOf(options).toSorted());
  }
});

test('every minute ends with a time in which nothing begins', () => {
  const [minute = []] = planFaults({ seed: 7, seconds: 60, targets });
  expect(minute.length).toBeGreaterThanOrEqual(40);
  expect(Math.max(...minute.map(({ atMs }) => atMs))).toBeLessThan(42_000);
});

test('who has another of their kind is frozen for longer than any lease lasts, and the network suffers before servers alone', () => {
  const faults = planned(6_000);
  const long = faults.filter(({ action }) => action === 'freeze long');
  expect(new Set(long.map(({ target }) => target))).toEqual(new Set(['ledger']));
  expect(long.filter(({ forMs }) => forMs <= 20_000)).toEqual([]);
  const network = faults.filter(({ action }) => /cut|stall|lose|slow/.test(action));
  expect(new Set(network.map(({ target }) => target))).toEqual(new Set(['redis', 'rabbitmq']));
  expect(network.filter(({ forMs }) => forMs < 300 || forMs > 3_000)).toEqual([]);
});

test('servers run full, and who carries money goes hungry for a while', () => {
  const faults = planned(6_000);
  const full = faults.filter(({ action }) => action === 'full');
  expect(new Set(full.map(({ target }) => target))).toEqual(new Set(['redis', 'rabbitmq']));
  const hungry = faults.filter(({ action }) => action === 'starve');
  expect(new Set(hungry.map(({ target }) => target))).toEqual(new Set(['ledger', 'gateway']));
  expect(hungry.filter(({ forMs }) => forMs < 3_000 || forMs > 8_000)).toEqual([]);
});
