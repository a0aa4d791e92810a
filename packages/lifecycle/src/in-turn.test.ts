import { createInTurn } from './in-turn';

describe('work in turn', () => {
  test('of one key never overlaps, keeps its order, and survives a failure', async () => {
    const inTurn = createInTurn();
    const log: string[] = [];
    const work = (name: string) => async () => {
      log.push(`${name} begins`);
      await new Promise(setImmediate);
      log.push(`${name} ends`);
      if (name === 'first') throw new Error('broken');
      return name;
    };
    const [first, second] = [inTurn('key', work('first')), inTurn('key', work('second'))];
    await expect(first).rejects.toThrow('broken');
    await expect(second).resolves.toBe('second');
    expect(log).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  });

  test('of different keys runs at the same time', async () => {
    const inTurn = createInTurn();
    let release = () => {};
    const blocked = inTurn('one', () => new Promise<void>((resolve) => (release = resolve)));
    await expect(inTurn('other', async () => 'done')).resolves.toBe('done');
    release();
    await blocked;
  });
});
