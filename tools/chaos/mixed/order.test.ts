import { askedIn, callersFirst } from './order.mjs';

test('who asks is replaced before who is asked', () => {
  const calls = { ledger: [], gateway: ['passes', 'ledger'], passes: ['identity'], identity: [] };
  expect(callersFirst(calls)).toEqual(['gateway', 'ledger', 'passes', 'identity']);
});

test('services that ask each other, or themselves, are all replaced, each once', () => {
  const calls = { a: ['b', 'a'], b: ['a', 'c'], c: ['c'], d: ['a'] };
  const order = callersFirst(calls);
  expect(order[0]).toBe('d');
  expect([...order].sort()).toEqual(['a', 'b', 'c', 'd']);
});

test('whom a service asks stands in its settings', () => {
  expect(askedIn("x: targetOf('clients'), y: setting('A'), z: targetOf('ledger')")).toEqual([
    'clients',
    'ledger',
  ]);
});
