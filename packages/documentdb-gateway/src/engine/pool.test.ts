import type { EngineConnection } from './connection';
import { EnginePool } from './pool';

const opened: EnginePool[] = [];
afterEach(() => {
  for (const pool of opened.splice(0)) pool.close();
});

const makePool = (size: number, reserved: number, waitMs = 10_000) => {
  const made: Array<{ idle: boolean; lost: null; close: jest.Mock }> = [];
  const pool = new EnginePool({
    size,
    reserved,
    waitMs,
    connect: async () => {
      made.push({ idle: true, lost: null, close: jest.fn() });
      return made.at(-1) as unknown as EngineConnection;
    },
  });
  opened.push(pool);
  return { pool, made };
};

describe('engine pool', () => {
  it('never opens more connections than its size, and serves waiters in order', async () => {
    const { pool, made } = makePool(2, 1);
    const [first, second] = await Promise.all([
      pool.acquire('statement'),
      pool.acquire('statement'),
    ]);
    const served: number[] = [];
    const waiting = [1, 2].map((turn) => pool.acquire('statement').then(() => served.push(turn)));
    pool.release(first!);
    pool.release(second!);
    await Promise.all(waiting);
    expect(served).toEqual([1, 2]);
    expect(made).toHaveLength(2);
  });

  it('keeps connections for single statements when transactions want them all', async () => {
    const { pool } = makePool(3, 1);
    await Promise.all([pool.acquire('transaction'), pool.acquire('transaction')]);
    const third = pool.acquire('transaction');
    third.catch(() => {}); // refused when the pool closes
    const statement = await pool.acquire('statement');
    const winner = await Promise.race([third.then(() => 'transaction'), Promise.resolve('none')]);
    expect(winner).toBe('none');
    pool.release(statement);
  });

  it('refuses with a retryable error when nothing gets free in time', async () => {
    const { pool } = makePool(1, 0, 1);
    await pool.acquire('statement');
    await expect(pool.acquire('statement')).rejects.toMatchObject({ code: 262 });
  });

  it('closes a connection that comes back in the middle of something', async () => {
    const { pool, made } = makePool(1, 0);
    const connection = await pool.acquire('statement');
    made[0]!.idle = false;
    pool.release(connection);
    await pool.acquire('statement');
    expect(made[0]!.close).toHaveBeenCalled();
    expect(made).toHaveLength(2);
  });

  it('frees the place of a connection that could not be made', async () => {
    const pool = new EnginePool({
      size: 1,
      reserved: 0,
      waitMs: 5000,
      connect: () => Promise.reject(new Error('down')),
    });
    await expect(pool.acquire('statement')).rejects.toThrow('down');
    await expect(pool.acquire('statement')).rejects.toThrow('down');
  });

  it('refuses waiters when it closes', async () => {
    const { pool } = makePool(1, 0);
    await pool.acquire('statement');
    const waiting = pool.acquire('statement');
    pool.close();
    await expect(waiting).rejects.toMatchObject({ code: 91 });
  });
});
