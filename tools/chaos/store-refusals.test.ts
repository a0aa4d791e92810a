import { kindsOf, planFaults } from './faults.mjs';
import { refuse, STORE_REFUSALS } from './store-refusals.mjs';

test('the store refuses in each way in every run that has the gateway of the local engine', () => {
  const options = { targets: ['documentdb-gateway', 'ledger'] };
  expect(kindsOf(options)).toEqual(expect.arrayContaining([...STORE_REFUSALS]));
  const planned = planFaults({ ...options, seed: 7, seconds: 60 }).flat();
  const lasting = planned.filter(({ action }) => STORE_REFUSALS.some((one) => one === action));
  expect(new Set(lasting.map(({ action }) => action))).toEqual(new Set(STORE_REFUSALS));
  expect(lasting.filter(({ forMs }) => forMs === 0)).toEqual([]);
});

test('a refusal of a gateway that is away has met nothing', async () => {
  expect(await refuse('mongodb://127.0.0.1:1/', 'conflict', 1)).toBe(false);
});
