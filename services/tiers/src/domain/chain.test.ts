import { joined } from './chain';

test('two chains that led to one thing are one chain, of the rules of both once each and as deep as the deeper', () => {
  const earlier = { chain: ['a', 'b'], depth: 3 };
  expect(joined(earlier, { chain: ['b', 'c'], depth: 2 })).toEqual({
    chain: ['a', 'b', 'c'],
    depth: 3,
  });
  expect(joined({ chain: [], depth: 0 }, earlier)).toEqual(earlier);
});
