import { systemContext } from '@laurel/lifecycle';
import { cancel } from '../domain/cancel';
import { earn } from '../domain/earn';
import { partsOf } from '../domain/lots';
import { spend } from '../domain/spend';
import {
  DAY,
  endingAtOnce,
  entryId,
  NOTE,
  newPlanner,
  points,
  RULES,
  T0,
} from '../testing/wallets';
import { Planner, SETTLED_AT_ONCE } from './planner';

test('of very many lots that end at once so many are planned as go with one flight, and the rest from there', () => {
  const wallet = endingAtOnce(2 * SETTLED_AT_ONCE + 1, T0);
  let { head } = new Planner({ ...newPlanner(1).head, wallet });
  const planned: number[] = [];
  for (let isAll = false; !isAll; ) {
    const planner = new Planner(head);
    isAll = planner.settle(T0);
    const { documents } = planner;
    planned.push(documents.length);
    const [beforeAll, beforeLast] = [0, documents.length - 1].map((at) => planner.headAfter(at));
    expect(beforeAll).toEqual(head);
    expect(beforeLast!.hash).toBe(documents.at(-1)!.prev_hash);
    expect(beforeLast!.wallet.lots).toHaveLength(planner.head.wallet.lots.length + 1);
    head = planner.head;
  }
  expect(planned).toEqual([SETTLED_AT_ONCE, SETTLED_AT_ONCE, 1]);
  expect(head.wallet).toMatchObject({ lots: [], figures: { active: 0 } });
});

test('what an operation leaves due is planned before the next one, where the flight has room for it', () => {
  const planner = newPlanner(1);
  const by = { operationId: 'o', context: systemContext() };
  const command = { ...NOTE, amount: points(10), expiryDays: 1 };
  planner.decide((wallet, moment) => earn({ wallet, rules: RULES }, command, moment), T0, by);
  const consumed = partsOf(planner.head.wallet.lots);
  planner.decide((wallet) => spend({ wallet, rules: RULES }, command), T0, by);
  const given = { amount: points(-10), left: points(0), consumed };
  const spent = { id: entryId(1), type: 'spend', ...given } as const;
  const later = T0 + 2 * DAY;
  expect(planner.settleLeft(later, 0)).toBe(true);
  planner.decide(
    (wallet, moment) => cancel(wallet, { entry: spent, note: NOTE }, moment),
    later,
    by,
  );
  expect(planner.settleLeft(later, 0)).toBe(false);
  expect(planner.head.wallet.figures.active).toBe(points(10));
  expect(planner.settleLeft(later, 1)).toBe(true);
  expect(planner.documents.map(({ type }) => type)).toEqual(['earn', 'spend', 'cancel', 'expire']);
  expect(planner.head.wallet.figures.active).toBe(0);
});
