import { createSendWindows } from './send-windows';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Requests that end when a test lets them. */
function held(windows: ReturnType<typeof createSendWindows>) {
  const underWay: { answer(): void; fail(): void }[] = [];
  const send = (key: string) =>
    windows.through(
      key,
      () =>
        new Promise<void>((resolve, reject) => {
          underWay.push({ answer: resolve, fail: () => reject(new Error('away')) });
        }),
    );
  return { underWay, send };
}

test('a receiver that does not answer has four in hand, whatever waits, and no other waits for it', async () => {
  const { underWay, send } = held(createSendWindows());
  for (let count = 0; count < 50; count += 1) void send('hangs');
  await turn();
  expect(underWay).toHaveLength(4);
  void send('another');
  await turn();
  expect(underWay).toHaveLength(5);
});

test('each answer makes room for one more, up to a bound', async () => {
  const { underWay, send } = held(createSendWindows());
  for (let count = 0; count < 500; count += 1) void send('answers');
  await turn();
  let answered = 0;
  for (; answered < 200; answered += 1) {
    underWay[answered]!.answer();
    await turn();
    expect(underWay.length - answered - 1).toBe(Math.min(5 + answered, 64));
  }
});

test('after a failure few are under way again, and everybody who waits is let in at last', async () => {
  const { underWay, send } = held(createSendWindows());
  const all = Array.from({ length: 40 }, () => send('fails').catch(() => 'failed'));
  await turn();
  for (let at = 0; at < 10; at += 1) {
    underWay[at]!.answer();
    await turn();
  }
  expect(underWay.length - 10).toBe(14);
  for (let at = 10; at < 40; at += 1) {
    underWay[at]!.fail();
    await turn();
    expect(underWay.length - at - 1).toBeLessThanOrEqual(Math.max(4, 24 - at - 1));
  }
  const outcomes = await Promise.all(all);
  expect(outcomes.filter((outcome) => outcome === 'failed')).toHaveLength(30);
});
