import { mapAtOnce } from './map-at-once';

const soon = () => new Promise((resolve) => setImmediate(resolve));

test('no more are worked on at once than may be, and each result stands where its item stood', async () => {
  let underWay = 0;
  let most = 0;
  const doubled = await mapAtOnce([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    underWay += 1;
    most = Math.max(most, underWay);
    for (let turn = 0; turn < 8 - item; turn += 1) await soon();
    underWay -= 1;
    return 2 * item;
  });
  expect(doubled).toEqual([2, 4, 6, 8, 10, 12, 14]);
  expect(most).toBe(3);
});

test('what one item meets keeps none of the others from being worked on', async () => {
  const worked: number[] = [];
  const all = mapAtOnce([1, 2, 3, 4], 2, async (item) => {
    if (item === 1) throw new Error('the first');
    await soon();
    worked.push(item);
  });
  await expect(all).rejects.toThrow('the first');
  while (worked.length < 3) await soon();
  expect(worked).toEqual([2, 3, 4]);
});
