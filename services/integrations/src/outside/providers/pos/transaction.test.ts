import { Unreadable } from '../../../domain/read-event';
import type { PosConfig } from './config';
import { requireTransaction, toEvent } from './transaction';

const sale = {
  id: 9,
  type: 'purchase',
  amount: 7.5,
  currency: 'EUR',
  created_at: '2026-02-01T10:00:00Z',
  location_id: 1,
  customer: { id: 42, email: 'ada@mail.example', card: { number: 'B-1' } },
};
const read = (over: object = {}, config: PosConfig = {}) =>
  toEvent(requireTransaction({ ...sale, ...over }), config);

test('a sale becomes a purchase under an id of its own kind', () => {
  expect(read({ items: [{ sku: 'a' }], metadata: { till: 3 } })).toEqual({
    eventCategory: 'transaction',
    eventType: 'purchase',
    eventTimestamp: '2026-02-01T10:00:00Z',
    amount: 7.5,
    currency: 'EUR',
    externalId: 'pos:9',
    metadata: { till: 3, transaction_id: 9, location_id: 1, items: [{ sku: 'a' }] },
    client: [
      { by: 'external_id', value: '42' },
      { by: 'email', value: 'ada@mail.example' },
    ],
  });
});

test('customers are recognized by what the configuration names, and by nothing else', () => {
  const config = { customer_id_mapping: { barcode_value: 'card.number' } };
  expect(read({}, config)?.client).toEqual([{ by: 'barcode_value', value: 'B-1' }]);
});

test('a receipt that is too long to be kept is left out, and the sale counts', () => {
  const items = Array.from({ length: 1_000 }, (_, sku) => ({ sku, name: 'Flat white, oat milk' }));
  expect(read({ items })?.metadata).toEqual({ transaction_id: 9, location_id: 1 });
});

test('a sale without a client is none of ours', () => {
  expect(read({ customer: null })).toBeNull();
  expect(read({ customer: { name: 'somebody' } })).toBeNull();
});

test('only configured locations take part; the default stands in for one that is not named', () => {
  expect(read({}, { location_ids: [2] })).toBeNull();
  expect(read({ location_id: null }, { location_ids: [2] })).toBeNull();
  const event = read({ location_id: null }, { location_ids: [2], default_location_id: 2 });
  expect(event?.metadata).toMatchObject({ location_id: 2 });
});

test.each([
  [{ id: undefined }, /id is required/],
  [{ type: 'gift' }, /type must be one of/],
  [{ amount: -1 }, /amount must be greater/],
  [{ amount: '7' }, /amount must be a number/],
  [{ created_at: 'soon' }, /created_at/],
])('%o cannot be read', (over, reason) => {
  expect(() => read(over)).toThrow(Unreadable);
  expect(() => read(over)).toThrow(reason);
});
