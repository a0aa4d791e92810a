import { uniqueBeyond } from './growth';

const place = { key: { workspace_id: 1, wallet_id: 1, sequence: 1 }, name: 'place', unique: true };
const claim = { key: { workspace_id: 1, claim: 1 }, name: 'claim', unique: true };
const newest = { key: { date_created: -1 }, name: 'newest' };
const all = [place, claim, newest];

test('a unique index stays unique over shards where the shard key leads it, in its order', () => {
  expect(uniqueBeyond(['workspace_id', 'wallet_id'], all)).toEqual(['claim']);
  expect(uniqueBeyond(['workspace_id'], all)).toEqual([]);
  expect(uniqueBeyond(['wallet_id', 'workspace_id'], all)).toEqual(['place', 'claim']);
});

test('beside a hashed key no other index is unique', () => {
  expect(uniqueBeyond('hashed _id', all)).toEqual(['place', 'claim']);
});

test('what is not divided keeps all of its unique indexes', () => {
  expect(uniqueBeyond('whole', all)).toEqual([]);
});
