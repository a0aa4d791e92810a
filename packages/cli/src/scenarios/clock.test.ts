import { type Laurel, LaurelError } from '@laurel/client';
import { clockOf } from './clock';

const refusedAs = (reason: 'clock_goes_forward' | 'clock_advancing') =>
  new LaurelError({
    status: 400,
    problems: [{ message: 'no', code: 'INVALID_PAYLOAD', reason }],
    requestId: undefined,
    retryAfterSeconds: undefined,
  });

/** A platform on a busy machine: by the time that a call arrives, the clock has gone on by so much. */
function busy(lateMs: number) {
  let now = Date.parse('2026-11-18T09:00:00Z');
  const asked: number[] = [];
  const workspaces = {
    getClock: async () => ({ now: new Date(now).toISOString(), status: 'ready' }),
    advanceClock: async ({ to }: { to: string }) => {
      now += lateMs;
      asked.push(Date.parse(to));
      if (Date.parse(to) <= now) throw refusedAs('clock_goes_forward');
      now = Date.parse(to);
    },
  };
  return { laurel: { workspaces } as unknown as Pick<Laurel, 'workspaces'>, asked };
}

test.each([0, 900, 2_500, 20_000])(
  'a clock that goes on by %d ms while it is being moved is moved all the same',
  async (lateMs) => {
    const { laurel, asked } = busy(lateMs);
    const before = await clockOf(laurel).now();
    await clockOf(laurel).settle();
    const after = await clockOf(laurel).now();
    expect(after.getTime()).toBeGreaterThan(before.getTime() + lateMs);
    expect(asked.at(-1)).toBe(after.getTime());
  },
);

test('a clock that cannot be caught up with, or that somebody else moves, is a refusal', async () => {
  await expect(clockOf(busy(120_000).laurel).settle()).rejects.toMatchObject({
    reason: 'clock_goes_forward',
  });
  const { laurel } = busy(0);
  laurel.workspaces.advanceClock = (() => Promise.reject(refusedAs('clock_advancing'))) as never;
  await expect(clockOf(laurel).settle()).rejects.toMatchObject({ reason: 'clock_advancing' });
});
