import { runInBackground, runInContext, systemContext } from '@laurel/lifecycle';
import type { Deps } from '../deps';
import { sharingQuestions } from './shared-questions';

type Peers = Parameters<typeof sharingQuestions>[0];

/** Peers that write down what they are asked; those of the workspace `gone` refuse. */
function peers() {
  const asked: unknown[] = [];
  const note = async (request: { workspace_id: string }): Promise<void> => {
    asked.push(request);
    await new Promise((resolve) => setImmediate(resolve));
    if (request.workspace_id === 'gone') throw new Error('gone');
  };
  const clients = {
    GetClients: async (request: { workspace_id: string; ids: string[] }) => {
      await note(request);
      return { clients: request.ids.filter((id) => id !== 'stranger').map((id) => ({ id })) };
    },
    GetTransactionMetrics: async (request: { workspace_id: string; client_ids: string[] }) => {
      await note(request);
      return { metrics: request.client_ids.map((client_id) => ({ client_id })) };
    },
    ListFields: async (request: { workspace_id: string }) => {
      await note(request);
      return { fields: [] };
    },
  };
  const others = { identity: {}, referrals: {}, tiers: {} };
  return { asked, shared: sharingQuestions({ clients, ...others } as unknown as Peers) };
}

const clientOf = (shared: Pick<Deps, 'clients'>, workspace_id: string, id: string) =>
  shared.clients.GetClients({ workspace_id, ids: [id] });

test('events that ask at the same moment share a question, by workspace, and each has its own answer', async () => {
  const { asked, shared } = peers();
  const answers = await runInBackground('test', () =>
    Promise.all([
      clientOf(shared, 'one', 'a'),
      clientOf(shared, 'one', 'b'),
      clientOf(shared, 'two', 'a'),
      clientOf(shared, 'one', 'stranger'),
    ]),
  );
  expect(answers.map(({ clients }) => clients.map(({ id }) => id))).toEqual([
    ['a'],
    ['b'],
    ['a'],
    [],
  ]);
  expect(asked).toEqual([
    { workspace_id: 'one', ids: ['a', 'b', 'stranger'] },
    { workspace_id: 'two', ids: ['a'] },
  ]);
});

test('questions until the same moment go out together, those until another one by themselves', async () => {
  const { asked, shared } = peers();
  const boughtUntil = (until: string, id: string) =>
    shared.clients.GetTransactionMetrics({ workspace_id: 'one', client_ids: [id], until });
  await runInBackground('test', async () => {
    await Promise.all([
      boughtUntil('9:00', 'a'),
      boughtUntil('9:00', 'b'),
      boughtUntil('9:01', 'a'),
    ]);
    await boughtUntil('9:00', 'c');
  });
  expect(asked).toEqual([
    { workspace_id: 'one', client_ids: ['a', 'b'], until: '9:00' },
    { workspace_id: 'one', client_ids: ['a'], until: '9:01' },
    { workspace_id: 'one', client_ids: ['c'], until: '9:00' },
  ]);
});

test('who asks while an answer is on its way is answered by a later one', async () => {
  const { asked, shared } = peers();
  await runInBackground('test', async () => {
    const first = clientOf(shared, 'one', 'a');
    while (asked.length === 0) await Promise.resolve();
    await Promise.all([first, clientOf(shared, 'one', 'a'), clientOf(shared, 'one', 'b')]);
  });
  expect(asked).toEqual([
    { workspace_id: 'one', ids: ['a'] },
    { workspace_id: 'one', ids: ['a', 'b'] },
  ]);
});

test('a workspace that is refused an answer costs the others nothing', async () => {
  const { shared } = peers();
  const [gone, kept] = await runInBackground('test', () =>
    Promise.allSettled([clientOf(shared, 'gone', 'a'), clientOf(shared, 'one', 'a')]),
  );
  expect(gone).toMatchObject({ status: 'rejected', reason: new Error('gone') });
  expect(kept).toMatchObject({ status: 'fulfilled', value: { clients: [{ id: 'a' }] } });
});

test('a person who asks is answered for themselves', async () => {
  const { asked, shared } = peers();
  await runInContext(systemContext(), async () => {
    await Promise.all([clientOf(shared, 'one', 'a'), clientOf(shared, 'one', 'b')]);
    await Promise.all([1, 2].map(() => shared.clients.ListFields({ workspace_id: 'one' })));
  });
  expect(asked).toHaveLength(4);
});

test('what is asked about a workspace is asked once for all events of a moment', async () => {
  const { asked, shared } = peers();
  await runInBackground('test', () =>
    Promise.all([1, 2, 3].map(() => shared.clients.ListFields({ workspace_id: 'one' }))),
  );
  expect(asked).toEqual([{ workspace_id: 'one' }]);
});
