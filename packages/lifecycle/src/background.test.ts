import { type Context, currentContext, runInContext, systemContext } from './context';
import { beyondRequest, every, later, runInBackground } from './index';

const request = systemContext({
  requestId: 'the-request',
  actor: { type: 'user', id: 'u1' },
  workspaceId: 'w1',
  traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  deadlineAt: Date.now() + 50,
});

type Start = (seen: (context: Context) => void) => unknown;

test.each<[string, Start]>([
  ['runInBackground', (seen) => runInBackground('test', () => seen(currentContext()))],
  ['a timer', (seen) => later('test', 1, () => seen(currentContext()))],
  [
    'a repeated timer',
    (seen) => {
      const timer = every('test', 1, () => {
        timer.cancel();
        seen(currentContext());
      });
    },
  ],
])('%s takes nothing over from the request that started it', async (_, start) => {
  let end: unknown;
  const seen = await new Promise<Context>((resolve) => {
    end = runInContext(request, () => start(resolve));
  });
  if (typeof end === 'function') await end();
  expect(seen).toMatchObject({
    background: true,
    workspaceId: null,
    actor: { type: 'system', id: null },
  });
  expect(seen.deadlineAt).toBeUndefined();
  expect(seen.traceparent).toBeUndefined();
  expect(seen.requestId).not.toBe(request.requestId);
  expect(seen.operationId).not.toBe(request.operationId);
});

test('background work has the deadline that it was given, and no other', () => {
  const deadlineAt = Date.now() + 60_000;
  const seen = runInContext(request, () =>
    runInBackground('test', () => currentContext().deadlineAt, { deadlineAt }),
  );
  expect(seen).toBe(deadlineAt);
});

test('what outlives its request keeps who asked and the operation, not the deadline', () => {
  const seen = runInContext(request, () => beyondRequest(() => currentContext()));
  expect(seen).toMatchObject({
    actor: request.actor,
    operationId: request.operationId,
    background: true,
  });
  expect(seen.deadlineAt).toBeUndefined();
});
