import { type Admission, type AdmissionSettings, createAdmission } from './admission';

const never = new Promise(() => undefined);
const settings = { runningMax: 4, waitingMax: 8, waitMsMax: 60_000, callerMax: 6 };

let admission: Admission;
function open(some: Partial<AdmissionSettings> = {}): Admission {
  admission = createAdmission({ ...settings, ...some });
  return admission;
}
afterEach(() => {
  admission.stop();
  jest.useRealTimers();
});

/** Enters so many times at once; says who came in, in which order, and who was refused with what. */
function enterAll(callers: readonly string[]) {
  const inside: { caller: string; leave: () => void }[] = [];
  const refused: { caller: string; status: number }[] = [];
  for (const caller of callers)
    void admission.enter(caller, never).then(
      ({ leave }) => inside.push({ caller, leave }),
      ({ httpStatus }) => refused.push({ caller, status: httpStatus }),
    );
  return { inside, refused };
}

const settled = () =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

const many = (caller: string, count: number) => Array.from({ length: count }, () => caller);

test('never more are at work than there are places, and each one that ends lets another in', async () => {
  open({ callerMax: 100 });
  const { inside, refused } = enterAll(many('a', 12));
  await settled();
  expect([inside.length, refused.length]).toEqual([4, 0]);
  for (let ended = 0; ended < 8; ended += 1) {
    inside[ended]!.leave();
    inside[ended]!.leave();
    await settled();
    expect(inside).toHaveLength(5 + ended);
  }
});

test('one caller with too much on its way is refused (429), the others come in', async () => {
  open();
  const { inside, refused } = enterAll([...many('a', 10), 'b']);
  await settled();
  expect(refused).toEqual(many('a', 4).map((caller) => ({ caller, status: 429 })));
  inside[0]!.leave();
  inside[1]!.leave();
  await settled();
  expect(inside.map(({ caller }) => caller)).toEqual(['a', 'a', 'a', 'a', 'a', 'b']);
});

test('beyond the line everybody is refused at once (503)', async () => {
  open({ callerMax: 100 });
  const { inside, refused } = enterAll([...many('a', 12), 'b', 'c']);
  await settled();
  expect(inside).toHaveLength(4);
  expect(refused).toEqual([
    { caller: 'b', status: 503 },
    { caller: 'c', status: 503 },
  ]);
});

test('callers take turns: who sends much delays its own', async () => {
  open();
  const { inside } = enterAll([...many('a', 6), ...many('b', 2), 'c']);
  await settled();
  for (let ended = 0; ended < 5; ended += 1) {
    inside[ended]!.leave();
    await settled();
  }
  expect(inside.map(({ caller }) => caller).join('')).toBe('aaaaabcab'.slice(0, inside.length));
});

test('whose turn does not come in time is refused (503), with a time to come back', async () => {
  open({ runningMax: 1, waitMsMax: 20 });
  enterAll(['a']);
  await expect(admission.enter('b', never)).rejects.toMatchObject({
    httpStatus: 503,
    retryAfterSeconds: expect.any(Number),
  });
});

test('who hangs up while waiting gives the place in the line back', async () => {
  open({ runningMax: 1, waitingMax: 1 });
  const { inside } = enterAll(['a']);
  await settled();
  let hangUp = () => {};
  const gone = new Promise<void>((resolve) => {
    hangUp = resolve;
  });
  const given = admission.enter('b', gone);
  hangUp();
  await expect(given).rejects.toMatchObject({ httpStatus: 503 });
  const next = admission.enter('c', never);
  inside[0]!.leave();
  expect(await next).toMatchObject({ leave: expect.any(Function) });
});

test('when everything is slow nothing moves aside: no more is let in than at other times', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  open({ runningMax: 1, waitingMax: 100, callerMax: 100, waitMsMax: 600_000 });
  const { inside } = enterAll(many('a', 60));
  await settled();
  for (let ended = 0; ended < 40; ended += 1) {
    jest.advanceTimersByTime(2_900);
    inside[ended]!.leave();
    await settled();
  }
  jest.advanceTimersByTime(10_000);
  await settled();
  expect(inside).toHaveLength(41);
});

test('what runs long does not keep the short ones out, up to a bound', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  open({ runningMax: 1, waitingMax: 100, callerMax: 100 });
  const { inside } = enterAll(many('a', 10));
  await settled();
  expect(inside).toHaveLength(1);
  jest.advanceTimersByTime(4_000);
  await settled();
  expect(inside).toHaveLength(2);
  jest.advanceTimersByTime(60_000);
  await settled();
  expect(inside).toHaveLength(3);
});
