import { createLanes } from './lanes';

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

describe('lanes', () => {
  test('keep the order within a key while other keys go on', async () => {
    const inLane = createLanes();
    const order: string[] = [];
    const held = gate();
    const first = inLane('ada', async () => {
      await held.opened;
      order.push('ada 1');
    });
    const second = inLane('ada', async () => void order.push('ada 2'));
    await inLane('bob', async () => void order.push('bob 1'));
    held.open();
    await Promise.all([first, second]);
    expect(order).toEqual(['bob 1', 'ada 1', 'ada 2']);
  });
});
