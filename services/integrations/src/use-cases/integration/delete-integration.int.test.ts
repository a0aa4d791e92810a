import { createEvent } from '@laurel/events';
import { removeWorkspace } from '@laurel/mongo';
import { atEveryCall, mortal } from '@laurel/testing';
import { IntegrationBench } from '../../testing/integration-bench';
import { enqueueOutbound } from '../outbound/enqueue-outbound';
import { deleteIntegration } from './delete-integration';

let root: IntegrationBench;
let bench: IntegrationBench;
beforeAll(async () => {
  root = await IntegrationBench.open();
});
beforeEach(() => {
  bench = root.inNewWorkspace();
});
afterEach(() => removeWorkspace(bench.deps, bench.workspaceId));
afterAll(() => root.store.drop());

const about = () => ({ workspace_id: bench.workspaceId, provider: 'pos' });
const key = () => `${bench.workspaceId}:pos`;

/** The ids of what is kept in a collection, in their order. */
async function kept(collection: string): Promise<string[]> {
  const rows = bench.store.connection.collection(collection);
  const found = await rows.find({ workspace_id: bench.workspaceId }).toArray();
  return found.map(({ _id }) => String(_id)).sort();
}

/** An outside system from which a message came, where its inbox is new, and that is still to hear of a client. */
async function setUp(): Promise<{ message: string | undefined; job: string }> {
  const { data, token } = await bench.put('pos', {
    enabled_inbound: true,
    enabled_outbound: true,
    config: { base_url: 'https://till.example' },
    secrets: { api_key: 'key' },
  });
  const posted = token && (await bench.post(data!.inbox_id!, token, { type: 'customer.created' }));
  const { id } = bench.clients.add();
  const changed = createEvent('clients.anonymized', {
    workspaceId: bench.workspaceId,
    subject: id,
    data: { client_id: id, external_identities: [] },
  });
  await enqueueOutbound(bench.deps, [changed]);
  return { message: posted ? posted.id : undefined, job: `${key()}:${id}` };
}

it('leaves alone what is of the integration that follows it, however late it removes what is its own', async () => {
  const former = await setUp();
  let next: Awaited<ReturnType<typeof setUp>> | undefined;
  const { messages } = bench.deps;
  const late: typeof messages = {
    ...messages,
    removeInbox: async (...named) => {
      next = await setUp();
      expect(await kept('inbox_messages')).toEqual([former.message, next.message].sort());
      await messages.removeInbox(...named);
    },
  };
  await deleteIntegration({ ...bench.deps, messages: late }, about());
  expect(await kept('inbox_messages')).toEqual([next!.message]);
  expect(await kept('outbound_jobs')).toEqual([next!.job]);
  expect(await kept('outbound_backfills')).toEqual([key()]);
  expect(await kept('outbound_retries')).toEqual([key()]);
});

it.each(['before', 'after'] as const)(
  'leaves nothing to the integration that follows it, wherever it dies: %s each of its calls',
  async (when) => {
    const calls = await atEveryCall(when, async (death) => {
      bench = root.inNewWorkspace();
      const former = await setUp();
      const process = mortal(bench.store.connection, death);
      const deps = bench.depsOn(process.connection, process.peer);
      process.arm();
      await Promise.race([deleteIntegration(deps, about()), process.died]);
      const isGone = (await kept('integrations')).length === 0;
      expect(await kept('outbound_backfills')).toHaveLength(isGone ? 0 : 1);
      const next = await setUp();
      while (await bench.workMessage());
      expect(await kept('inbox_messages')).toEqual([isGone ? next.message : former.message]);
      expect(await kept('outbound_jobs')).toEqual(
        isGone ? [next.job] : [former.job, next.job].sort(),
      );
      await removeWorkspace(bench.deps, bench.workspaceId);
      return !process.isDead();
    });
    expect(calls).toBeGreaterThan(8);
  },
);

it('removes very many jobs, also when another takes the place at the same time', async () => {
  await setUp();
  const jobs = bench.store.connection.collection<{ _id: string }>('outbound_jobs');
  const [known] = await jobs.find({ workspace_id: bench.workspaceId }).toArray();
  await jobs.insertMany(
    Array.from({ length: 2_500 }, (_, number) => ({
      ...known!,
      _id: `${key()}:${number}`,
      id: `${number}`,
    })),
  );
  const { removeInbox } = bench.deps.messages;
  let next: ReturnType<typeof setUp> | undefined;
  const messages = {
    ...bench.deps.messages,
    removeInbox: async (...named: Parameters<typeof removeInbox>) => {
      next = setUp();
      await removeInbox(...named);
    },
  };
  await deleteIntegration({ ...bench.deps, messages }, about());
  const { job } = await next!;
  expect(await kept('outbound_jobs')).toEqual([job]);
});
