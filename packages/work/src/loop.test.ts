import { currentContext, runInContext, systemContext } from '@laurel/lifecycle';
import { until } from '@laurel/testing';
import { type Loop, type Next, type Reason, startLoop } from './loop';

const HOUR_MS = 3_600_000;
/** Later than a busy machine lets a timer be. */
const LATER_MS = 4_000;

let loop: Loop;
afterEach(() => loop.stop());

function started(
  answer: (reason: Reason, look: number) => Next | Promise<Next>,
  sweepMs = HOUR_MS,
) {
  const looks: Reason[] = [];
  loop = startLoop({
    name: 'test',
    sweepMs,
    look: async (reason) => {
      looks.push(reason);
      return answer(reason, looks.length);
    },
  });
  return looks;
}

test('a loop sweeps once at its start, and then sleeps until it is woken', async () => {
  const looks = started(() => ({}));
  await until(() => looks.length === 1);
  loop.wake();
  await until(() => looks.length === 2);
  expect(looks).toEqual(['sweep', 'woken']);
});

test('however often it is woken during a look, it looks once more and never twice at once', async () => {
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  let [inside, most] = [0, 0];
  const looks = started(async () => {
    inside += 1;
    most = Math.max(most, inside);
    await gate;
    inside -= 1;
    return {};
  });
  await until(() => looks.length === 1);
  for (let time = 0; time < 100; time += 1) loop.wake();
  open();
  await until(() => looks.length === 2);
  await loop.stop();
  expect([looks.length, most]).toEqual([2, 1]);
});

test('what is announced for a time is looked for at that time, the earliest first', async () => {
  const looks: number[] = [];
  const begin = Date.now();
  loop = startLoop({
    name: 'test',
    sweepMs: HOUR_MS,
    look: async () => {
      looks.push(Date.now() - begin);
      return looks.length === 1 ? { at: begin + LATER_MS } : {};
    },
  });
  await until(() => looks.length === 1);
  loop.wake(begin + 300);
  await until(() => looks.length >= 2);
  expect(looks[1]).toBeGreaterThanOrEqual(295);
  expect(looks[1]).toBeLessThan(LATER_MS);
  // The later one was not kept: a sweep asks the store for it, no more often than once a second.
  await until(() => looks.length >= 3);
  expect(looks[2]).toBeGreaterThanOrEqual(990);
});

test('a loop that wants to be left alone heeds a wake-up afterwards, or at once where it must', async () => {
  const looks = started((_reason, look) => (look === 1 ? { deafMs: HOUR_MS } : {}));
  await until(() => looks.length === 1);
  loop.wake();
  loop.wakeUp();
  await until(() => looks.length === 2);
  expect(looks).toEqual(['sweep', 'woken']);
});

test('a clock that is set back makes a loop wait no longer than it was to', async () => {
  const clock = jest.spyOn(Date, 'now');
  try {
    const looks = started((_, look) => (look === 1 ? { deafMs: 20 } : {}), 40);
    await until(() => looks.length === 1);
    const now = Date.now();
    clock.mockReturnValue(now - HOUR_MS);
    loop.wake();
    await until(() => looks.length >= 2 && looks.includes('woken'));
    await until(() => looks.length >= 4);
  } finally {
    clock.mockRestore();
  }
});

test('a timer that fires before what is due makes no sweep of it', async () => {
  const begin = performance.now();
  const clock = jest.spyOn(Date, 'now');
  clock.mockImplementation(() => {
    const now = performance.now();
    return Math.floor(performance.timeOrigin + (now - begin > 200 ? now - 1_000 : now));
  });
  try {
    const looks = started((_, look) => (look === 1 ? { at: Date.now() + 300 } : {}));
    await until(() => looks.length >= 2);
    expect(looks).toEqual(['sweep', 'woken']);
  } finally {
    clock.mockRestore();
  }
});

test('a loop takes nothing over from the request that started or woke it', async () => {
  const request = systemContext({ requestId: 'the-request', deadlineAt: Date.now() + 50 });
  const seen: unknown[] = [];
  runInContext(request, () => {
    loop = startLoop({
      name: 'test',
      sweepMs: HOUR_MS,
      look: async () => {
        seen.push(currentContext());
        return {};
      },
    });
  });
  await until(() => seen.length === 1);
  runInContext(request, () => loop.wake());
  await until(() => seen.length === 2);
  for (const context of seen)
    expect(context).toMatchObject({ background: true, requestId: expect.stringMatching(/^test-/) });
  expect(seen).not.toContainEqual(expect.objectContaining({ deadlineAt: expect.anything() }));
});

test('a loop that was stopped finishes its look and begins no other', async () => {
  const looks = started(() => ({ again: true }));
  await until(() => looks.length > 3);
  await loop.stop();
  const count = looks.length;
  loop.wake();
  expect(looks).toHaveLength(count);
});
