import { Peers } from './peers';

const PATIENCE_MS = 2_000;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('more than may wait are waited for at once, but not for long: those go who came first', () => {
  const peers = new Peers(1, PATIENCE_MS);
  const over: string[] = [];
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    const hangUp = () => over.push(name);
    void peers.await(() => new Promise<never>(() => undefined), hangUp);
  }
  jest.advanceTimersByTime(PATIENCE_MS - 1);
  peers.trim();
  expect(over).toEqual([]);
  jest.advanceTimersByTime(1);
  peers.trim();
  expect(over).toEqual(['a', 'b', 'c']);
});

test('of no more than may wait none is hung up on, however long that takes', () => {
  const peers = new Peers(1, PATIENCE_MS);
  let over = 0;
  const hangUp = () => {
    over += 1;
  };
  for (let asked = 0; asked < 2; asked += 1)
    void peers.await(() => new Promise<never>(() => undefined), hangUp);
  jest.advanceTimersByTime(60_000);
  peers.trim();
  expect(over).toBe(0);
});
