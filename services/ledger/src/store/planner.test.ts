import { endingAtOnce, newPlanner, T0 } from '../testing/wallets';
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
