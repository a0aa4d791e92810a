import { pos } from './provider';

const sale = {
  id: 9,
  type: 'purchase',
  amount: 7.5,
  created_at: '2026-02-01T10:00:00Z',
  customer: { email: 'ada@mail.example' },
};
const read = (type: string) => pos.inbound!.read({ body: { type, data: sale }, headers: {} }, {});

test('a sale is what the till says was made, and what else it tells of one is passed over', () => {
  expect(read('transaction.created')).toMatchObject({ externalId: 'pos:9', amount: 7.5 });
  for (const type of [
    'transaction.voided',
    'transaction.updated',
    'transaction.',
    'customer.created',
  ])
    expect(read(type)).toBeNull();
});
