import { AMOUNT_MAX, toUnits } from '@laurel/values/amount';
import {
  BEARERS_MAX,
  crowdedAmong,
  earlierThan,
  linkRefund,
  namesGiven,
  restFor,
  withSharedApart,
} from './refund-link';

const sale = (id: string, amount: number, more: object = {}) => ({
  id,
  external_id: null,
  metadata: {},
  amount: toUnits(amount),
  currency: 'EUR',
  ...more,
});
const refund = (amount: number, more: object = {}) => ({
  ...sale('refund', amount),
  original_external_id: null,
  ...more,
});

describe('a refund', () => {
  test('of a payment that was split is of all its sales', () => {
    const sales = [
      sale('a', 100, { metadata: { order_id: '7' } }),
      sale('b', 50, { metadata: { order_id: 7 } }),
    ];
    expect(linkRefund(refund(50, { metadata: { order_id: 7 } }), sales, [])).toEqual({
      state: 'linked',
      saleIds: ['a', 'b'],
      names: ['7', 'a', 'b'],
      paid: toUnits(150),
    });
  });

  test('of sales in several currencies is of those in its own', () => {
    const sales = [
      sale('a', 100, { metadata: { order_id: '7' } }),
      sale('b', 9_000, { metadata: { order_id: '7' }, currency: 'JPY' }),
    ];
    const named = { metadata: { order_id: '7' } };
    expect(linkRefund(refund(50, named), sales, [])).toMatchObject({
      saleIds: ['a'],
      paid: toUnits(100),
    });
    expect(linkRefund(refund(101, named), sales, [])).toMatchObject({ state: 'exceeds' });
    const inYen = refund(9_000, { ...named, currency: 'JPY' });
    const before = [{ amount: toUnits(100), saleIds: ['a'] }];
    expect(linkRefund(inYen, sales, before)).toMatchObject({ saleIds: ['b'] });
  });

  test('in another currency than every sale under its name is not found', () => {
    const sales = [sale('a', 100, { metadata: { order_id: '7' } })];
    const inYen = (more: object = {}) =>
      refund(50, { currency: 'JPY', metadata: { order_id: '7' }, ...more });
    expect(linkRefund(inYen(), sales, [])).toMatchObject({ state: 'not_found', saleIds: [] });
    expect(restFor(inYen(), sales, [])).toBeNull();
    const fromSource = inYen({ metadata: { source_id: 'a' } });
    expect(linkRefund(fromSource, sales, [])).toMatchObject({ state: 'not_found' });
    expect(linkRefund(inYen({ currency: null }), sales, [])).toMatchObject({ state: 'linked' });
    const unsaid = [{ ...sales[0]!, id: 'b', currency: null }];
    expect(linkRefund(inYen(), [...sales, ...unsaid], [])).toMatchObject({ saleIds: ['b'] });
  });

  test.each([
    ['its event id', { metadata: { original_event_id: 'a' } }],
    ['its external_id', { original_external_id: 'till-9' }],
    ['a number for its text', { metadata: { original_transaction_id: 9 } }],
    ['a text for its number', { metadata: { order_id: '1001' } }],
  ])('finds its sale by %s', (_, named) => {
    const bought = sale('a', 10, {
      external_id: 'till-9',
      metadata: { transaction_id: '9', order_id: 1001 },
    });
    expect(linkRefund(refund(10, named), [bought], [])).toMatchObject({ state: 'linked' });
  });

  test('goes by the most exact of its names', () => {
    const sales = [
      sale('a', 10, { metadata: { order_id: '1', transaction_id: 'T1' } }),
      sale('b', 20, { metadata: { order_id: '1', transaction_id: 'T2' } }),
    ];
    const one = refund(10, { metadata: { order_id: '1', original_transaction_id: 'T1' } });
    expect(linkRefund(one, sales, [])).toMatchObject({ saleIds: ['a'], paid: toUnits(10) });
  });

  describe('of one of several sales', () => {
    const [first, second, third] = [
      sale('a', 60, { external_id: 'pay-1', metadata: { order_id: 'X' } }),
      sale('b', 40, { external_id: 'pay-2', metadata: { order_id: 'X', transaction_id: 'Y' } }),
      sale('c', 20, { external_id: 'pay-3', metadata: { transaction_id: 'Y' } }),
    ];
    const apart = (amount: number, name: string) => {
      const one = refund(amount, { original_external_id: name });
      const sales = [first, second, third];
      return withSharedApart(linkRefund(one, sales, [])!, one, { sales });
    };
    const group = (saleIds: string[], names: string[], paid: number, refunded: number) => ({
      saleIds,
      names,
      paid: toUnits(paid),
      refunded: toUnits(refunded),
    });

    test('sets the names apart that the others have, too', () => {
      expect(apart(60, 'pay-1')).toEqual({
        state: 'linked',
        saleIds: ['a'],
        names: ['a', 'pay-1'],
        paid: toUnits(60),
        shared: [group(['a', 'b'], ['X'], 100, 60)],
      });
      expect(apart(10, 'pay-2').shared).toEqual([
        group(['a', 'b'], ['X'], 100, 10),
        group(['b', 'c'], ['Y'], 60, 10),
      ]);
    });

    test('by a name that they share is of them all, and only their part of it of a third', () => {
      expect(apart(50, 'X')).toEqual({
        state: 'linked',
        saleIds: ['a', 'b'],
        names: ['X', 'a', 'b', 'pay-1', 'pay-2'],
        paid: toUnits(100),
        shared: [group(['b', 'c'], ['Y'], 60, 20)],
      });
    });

    test('takes the id of its event for a name of its own, whatever others call themselves', () => {
      const more = sale('d', 5, { metadata: { original_transaction_id: 'a' } });
      const one = refund(60, { original_external_id: 'pay-1' });
      const link = linkRefund(one, [first, more], [])!;
      const alone = withSharedApart(link, one, { sales: [first, more] });
      expect(alone).toMatchObject({ names: ['X', 'a', 'pay-1'] });
      expect(alone).not.toHaveProperty('shared');
    });

    test('leaves alone what was earned under a name of sales in several currencies', () => {
      const yen = sale('y', 9_000, { currency: 'JPY', metadata: { order_id: 'X' } });
      const sales = [first, second, yen];
      const byItsOwn = refund(60, { original_external_id: 'pay-1' });
      const one = withSharedApart(linkRefund(byItsOwn, sales, [])!, byItsOwn, { sales });
      expect(one).toMatchObject({ saleIds: ['a'], names: ['a', 'pay-1'] });
      expect(one).not.toHaveProperty('shared');
      const byTheNumber = refund(50, { metadata: { order_id: 'X' } });
      const both = withSharedApart(linkRefund(byTheNumber, sales, [])!, byTheNumber, { sales });
      expect(both).toMatchObject({
        saleIds: ['a', 'b'],
        names: ['Y', 'a', 'b', 'pay-1', 'pay-2'],
      });
      expect(both).not.toHaveProperty('shared');
    });

    test('leaves alone what was earned under a name that very many sales have', () => {
      const many = Array.from({ length: BEARERS_MAX + 1 }, (_, index) =>
        sale(`m-${index}`, 1, { metadata: { order_id: 'X', transaction_id: 'Z' } }),
      );
      const crowded = new Set(crowdedAmong([...many, third]));
      expect([...crowded]).toEqual(['X', 'Z']);
      expect(crowdedAmong(many.slice(1))).toEqual([]);
      const one = refund(40, { original_external_id: 'pay-2' });
      const link = linkRefund(one, [second], [])!;
      const bearers = { sales: [second, third, ...many.slice(1)], crowded };
      expect(withSharedApart(link, one, bearers)).toMatchObject({
        names: ['b', 'pay-2'],
        shared: [group(['b', 'c'], ['Y'], 60, 40)],
      });
    });

    test('leaves no crumbs of a part that is given back bit by bit', () => {
      const sales = [
        first,
        sale('b', 30, { metadata: { order_id: 'X', transaction_id: 'Y' } }),
        third,
      ];
      const one = refund(10, { original_external_id: 'X' });
      const link = linkRefund(one, sales, [])!;
      expect(link.paid).toBe(toUnits(90));
      const parts = Array.from({ length: 9 }, (_, index) => {
        const earlier = Array.from({ length: index }, () => ({
          amount: toUnits(10),
          saleIds: link.saleIds,
        }));
        // Of other sales, and not of these together.
        const others = [{ amount: toUnits(7), saleIds: ['a'] }];
        const bearers = { sales, earlier: [...earlier, ...others] };
        return withSharedApart(link, one, bearers).shared![0]!.refunded;
      });
      expect(parts.slice(0, 3)).toEqual([3.3333, 3.3333, 3.3334].map(toUnits));
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(toUnits(30));
    });

    test('of more than one amount can be tells its part all the same', () => {
      const vast = ['v', 'w'].map((id) =>
        sale(id, AMOUNT_MAX, {
          metadata: { order_id: 'V', ...(id === 'v' ? { transaction_id: 'Z' } : {}) },
        }),
      );
      const other = sale('z', 1, { metadata: { transaction_id: 'Z' } });
      const one = refund(AMOUNT_MAX, { original_external_id: 'V' });
      const link = linkRefund(one, vast, [])!;
      expect(withSharedApart(link, one, { sales: [...vast, other] }).shared).toEqual([
        {
          ...group(['v', 'z'], ['Z'], 1, AMOUNT_MAX / 2),
          paid: toUnits(AMOUNT_MAX) + toUnits(1),
        },
      ]);
    });
  });

  test('guesses nothing: no name is no link, a wrong one is not found', () => {
    expect(linkRefund(refund(1), [], [])).toBeNull();
    expect(
      linkRefund(refund(1, { metadata: { order_id: 'x' } }), [sale('a', 1)], []),
    ).toMatchObject({ state: 'not_found' });
    const sent = refund(1, { original_external_id: 'x', metadata: { order_id: '1' } });
    const other = sale('a', 1, { metadata: { order_id: '1' } });
    expect(linkRefund(sent, [other], [])).toMatchObject({ state: 'not_found' });
  });

  test('by a name that very many sales have is not found, unless it has a more exact one', () => {
    const many = Array.from({ length: BEARERS_MAX + 1 }, (_, index) =>
      sale(`m-${index}`, 1, { metadata: { order_id: '1' } }),
    );
    const by = (metadata: object, sales = many) => linkRefund(refund(1, { metadata }), sales, []);
    const notFound = { state: 'not_found', saleIds: [], names: [], paid: 0 };
    expect(by({ order_id: 1 })).toEqual(notFound);
    expect(by({ source_id: '1' })).toEqual(notFound);
    expect(restFor(refund(1, { metadata: { order_id: 1 } }), many, [])).toBeNull();
    expect(by({ order_id: 1, original_event_id: 'm-3' })).toMatchObject({ saleIds: ['m-3'] });
    expect(by({ order_id: 1 }, many.slice(1))).toMatchObject({ paid: toUnits(BEARERS_MAX) });
  });

  test('whose source_id alone might name its sale is linked where it does, and names nothing where it does not', () => {
    const bought = sale('a', 10, { metadata: { source_id: 'web' } });
    const from = (source_id: unknown, more = {}) => refund(1, { metadata: { source_id, ...more } });
    expect(linkRefund(from('web'), [bought], [])).toBeNull();
    expect(linkRefund(from('a'), [bought], [])).toMatchObject({ state: 'linked' });
    expect(linkRefund(from('web', { order_id: 'x' }), [bought], [])).toMatchObject({
      state: 'not_found',
    });
  });

  test('of more than is left of its sales exceeds them', () => {
    const bought = sale('a', 10, { external_id: 's' });
    const of = (amount: number) => refund(amount, { original_external_id: 's' });
    const earlier = [{ amount: toUnits(6), saleIds: ['a'] }];
    expect(linkRefund(of(4), [bought], earlier)).toMatchObject({ state: 'linked' });
    expect(linkRefund(of(4.0001), [bought], earlier)).toMatchObject({ state: 'exceeds' });
    expect(linkRefund(of(10.5), [bought], [])).toMatchObject({ state: 'exceeds', saleIds: [] });
  });

  describe('after others of the same sales together', () => {
    const [one, two, three] = [
      sale('a', 60, { external_id: 'pay-1', metadata: { order_id: 'X' } }),
      sale('b', 40, { external_id: 'pay-2', metadata: { order_id: 'X', transaction_id: 'Y' } }),
      sale('c', 20, { external_id: 'pay-3', metadata: { transaction_id: 'Y' } }),
    ];
    const sales = [one, two, three];
    const left = (name: string, earlier: [amount: number, ...saleIds: string[]][]) => {
      const before = earlier.map(([amount, ...saleIds]) => ({ amount: toUnits(amount), saleIds }));
      return restFor(refund(1, { original_external_id: name }), sales, before);
    };

    test('may be of all that can be left of its own', () => {
      expect(left('pay-2', [[50, 'a', 'b']])).toBe(toUnits(40));
      expect(left('pay-1', [[50, 'a', 'b']])).toBe(toUnits(50));
      expect(left('X', [[50, 'a', 'b']])).toBe(toUnits(50));
      expect(left('X', [[10, 'a']])).toBe(toUnits(90));
      const more = [
        [50, 'a', 'b'],
        [40, 'b'],
      ] as [number, ...string[]][];
      expect(left('pay-2', more)).toBe(0);
      expect(left('pay-1', more)).toBe(toUnits(10));
      const all = refund(40, { original_external_id: 'pay-2' });
      const before = [{ amount: toUnits(50), saleIds: ['a', 'b'] }];
      expect(linkRefund(all, sales, before)).toMatchObject({ state: 'linked', saleIds: ['b'] });
    });

    test('is of no more than all of them were paid, whichever were given back together', () => {
      // At least 20 of each were of b.
      const chain = [
        [80, 'a', 'b'],
        [40, 'b', 'c'],
      ] as [number, ...string[]][];
      expect(left('pay-2', chain)).toBe(0);
      expect(left('pay-1', chain)).toBe(0);
      const less = [
        [70, 'a', 'b'],
        [30, 'b', 'c'],
      ] as [number, ...string[]][];
      expect(left('pay-2', less)).toBe(toUnits(20));
      expect(left('pay-3', less)).toBe(toUnits(20));
    });

    test('finds soon what is left, where a till sent one number with very many, and again and again brought all back', () => {
      const many = Array.from({ length: 2_000 }, (_, index) =>
        sale(`m-${index}`, 1, { external_id: `n-${index}`, metadata: { order_id: '0' } }),
      );
      const before = Array.from({ length: 200 }, (_, index) => ({
        amount: toUnits(1),
        saleIds: many.slice(0, 10 * (index + 1)).map(({ id }) => id),
      }));
      const one = refund(1, { original_external_id: 'n-0' });
      const begun = performance.now();
      expect(restFor(one, many, before)).toBe(toUnits(1));
      expect(restFor(one, many, [...before, { ...before[0]!, amount: toUnits(9) }])).toBe(0);
      expect(performance.now() - begun).toBeLessThan(2_000);
    });

    test('counts all of what it overlaps where that is very much', () => {
      const overlapping = Array.from({ length: 9 }, (_, index) => [1, 'b', `${index}`]);
      expect(left('pay-2', overlapping as [number, ...string[]][])).toBe(toUnits(31));
    });
  });

  test('names the latest of those that share sales with it, as far as an event has room for all their sales', () => {
    const now = new Date('2026-01-15T10:00:00.000Z');
    const link = (index: number, sales: number) => ({
      state: 'linked' as const,
      saleIds: Array.from({ length: sales }, (_, sale) => `m-${index + sale}`),
      names: ['0'],
      paid: toUnits(sales),
      linkedAt: new Date(now.getTime() - 60_000 + index),
    });
    const linked = (sales: number) =>
      Array.from({ length: 30 }, (_, index) => ({
        id: `r-${index}`,
        amount: toUnits(1),
        refund_link: link(index, sales),
      }));
    const idsOf = (sales: number) =>
      earlierThan(link(99, 1), linked(sales), now).map(({ id }) => id);
    const last = (count: number) =>
      Array.from({ length: count }, (_, index) => `r-${30 - count + index}`);
    expect([idsOf(1), idsOf(300), idsOf(5_000)]).toEqual([last(20), last(6), []]);
  });

  test('of a split payment is of all its sales also where they come to more than one amount can be', () => {
    const sales = ['a', 'b'].map((id) => sale(id, AMOUNT_MAX, { metadata: { order_id: '7' } }));
    const of = (amount: number) => refund(amount, { metadata: { order_id: '7' } });
    const paid = 2 * toUnits(AMOUNT_MAX);
    expect(linkRefund(of(5), sales, [])).toMatchObject({ state: 'linked', paid });
    const earlier = [{ amount: toUnits(AMOUNT_MAX), saleIds: ['a', 'b'] }];
    expect(linkRefund(of(AMOUNT_MAX), sales, earlier)).toMatchObject({ state: 'linked' });
    const twice = [...earlier, { amount: toUnits(1), saleIds: ['a', 'b'] }];
    expect(linkRefund(of(AMOUNT_MAX), sales, twice)).toMatchObject({ state: 'exceeds' });
  });

  test('does not take what the till calls the refund itself for a name of its sale', () => {
    const metadata = { transaction_id: 900 };
    expect(namesGiven(refund(1, { external_id: 'pos:900', metadata }))).toEqual([]);
  });
});
