import { routes } from '../routes';
import { EXCEPTIONS } from './name-exceptions';
import { derivedIdOf, keyOf, operationIdOf } from './names';

const named = routes.map((route) => ({
  key: keyOf(route.method, route.path),
  id: operationIdOf(route),
  derived: derivedIdOf(route),
}));

test('every operation has a name of its own that can be spoken', () => {
  const ids = named.map(({ id }) => id);
  const shared = named.filter(({ id }) => ids.indexOf(id) !== ids.lastIndexOf(id));
  expect(shared.map(({ id, key }) => `${id} ${key}`)).toEqual([]);
  const unspeakable = named.filter(({ id }) => !/^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/.test(id));
  expect(unspeakable).toEqual([]);
});

test('an exception is one: the operation is there, and the rule finds another name', () => {
  const keys = new Set(named.map(({ key }) => key));
  const needless = named.filter(({ key, derived }) => EXCEPTIONS[key] === derived);
  expect(Object.keys(EXCEPTIONS).filter((key) => !keys.has(key))).toEqual([]);
  expect(needless.map(({ key }) => key)).toEqual([]);
});

test.each([
  ['points.earn', 'POST', '/loyalty/points/earn'],
  ['clients.list', 'GET', '/clients'],
  ['clients.update', 'PATCH', '/clients/:id'],
  ['webhooks.retryDelivery', 'POST', '/webhooks/:id/deliveries/:deliveryId/retry'],
  ['passes.listForClient', 'GET', '/clients/:id/passes'],
])('%s is the name of %s %s', (id, method, path) => {
  const found = named.find(({ key }) => key.startsWith(`${method} ${path.replace(/:\w+/g, ':')}`));
  const exact = named.find(
    ({ key }) => key.replace(/:\w+/g, ':') === `${method} ${path.replace(/:\w+/g, ':')}`,
  );
  expect((exact ?? found)?.id).toBe(id);
});
