import { currentContext, runInContext, systemContext } from './context';
import { Neighbours, type Waiting } from './neighbours';

const together = (written: string[][]) => async (waiting: readonly Waiting<string>[]) => {
  const items = waiting.map(({ item }) => item);
  written.push(items);
  await Promise.resolve();
  if (items.includes('bad')) throw new Error('bad');
  return items.map((item) => `${item}!`);
};

test('what comes while one is written is written together, in its order, and each is answered', async () => {
  const written: string[][] = [];
  const neighbours = new Neighbours(together(written), () => true);
  const answers = await Promise.all(
    ['a', 'b', 'c', 'd'].map((item) => neighbours.run('one', item)),
  );
  expect(answers).toEqual(['a!', 'b!', 'c!', 'd!']);
  expect(written).toEqual([['a'], ['b', 'c', 'd']]);
});

test('an item under another key does not wait', async () => {
  const written: string[][] = [];
  const neighbours = new Neighbours(together(written), () => true);
  await Promise.all([neighbours.run('one', 'a'), neighbours.run('two', 'b')]);
  expect(written).toEqual([['a'], ['b']]);
});

test('one that fails fails alone', async () => {
  const neighbours = new Neighbours(together([]), () => true);
  const answers = await Promise.allSettled(
    ['a', 'b', 'bad', 'c'].map((item) => neighbours.run('one', item)),
  );
  expect(answers.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
});

test('one that fails among many costs its neighbours a few writes, not one each', async () => {
  const written: string[][] = [];
  const neighbours = new Neighbours(together(written));
  const items = ['first', ...Array.from({ length: 32 }, (_, at) => (at === 20 ? 'bad' : `${at}`))];
  const answers = await Promise.allSettled(items.map((item) => neighbours.run('one', item)));
  expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect(written.length).toBeLessThanOrEqual(12);
});

test('what is no single item’s fault fails for all, and nothing is written again', async () => {
  const written: string[][] = [];
  const neighbours = new Neighbours(together(written), undefined, () => false);
  const items = ['first', 'a', 'bad', 'b'];
  const answers = await Promise.allSettled(items.map((item) => neighbours.run('one', item)));
  expect(answers.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
    'rejected',
  ]);
  expect(written).toEqual([['first'], ['a', 'bad', 'b']]);
});

test('the deadline of the one that came first is not that of those who come after', async () => {
  const deadlines: unknown[] = [];
  const neighbours = new Neighbours<string, string>(async (waiting) => {
    deadlines.push(currentContext().deadlineAt);
    return waiting.map(({ item }) => item);
  });
  const first = systemContext({ deadlineAt: Date.now() + 1_000 });
  await runInContext(first, () =>
    Promise.all([neighbours.run('one', 'a'), neighbours.run('one', 'b')]),
  );
  expect(deadlines).toEqual([undefined, undefined]);
});

test('one that may not join is written alone, in its place', async () => {
  const written: string[][] = [];
  const neighbours = new Neighbours(together(written), ({ context }) => !context.operationKept);
  const kept = () =>
    runInContext(systemContext({ operationKept: true }), () => neighbours.run('one', 'kept'));
  await Promise.all([
    neighbours.run('one', 'a'),
    neighbours.run('one', 'b'),
    kept(),
    neighbours.run('one', 'c'),
    neighbours.run('one', 'd'),
  ]);
  expect(written).toEqual([['a'], ['b'], ['kept'], ['c', 'd']]);
});

test('each is known by the request that it came with', async () => {
  const requests: string[] = [];
  const neighbours = new Neighbours<string, string>(
    async (waiting) =>
      waiting.map(({ item, context }) => {
        requests.push(context.requestId);
        return item;
      }),
    () => true,
  );
  const contexts = [systemContext(), systemContext(), systemContext()];
  await Promise.all(
    contexts.map((context) =>
      runInContext(context, () => neighbours.run('one', currentContext().requestId)),
    ),
  );
  expect(requests).toEqual(contexts.map(({ requestId }) => requestId));
});
