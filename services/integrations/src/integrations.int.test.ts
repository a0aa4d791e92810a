import { removeWorkspace } from '@laurel/mongo';
import { until, workOffJob } from '@laurel/testing';
import { integrationJobs } from './jobs';
import type { RestAnswer } from './outside/rest';
import { IntegrationBench } from './testing/integration-bench';
import { enqueueOutbound } from './use-cases/outbound/enqueue-outbound';

const MANY = 150;
const NOBODY = new Map<string, number>();
let root: IntegrationBench;
let noisy: IntegrationBench;
let quiet: IntegrationBench;

beforeAll(async () => {
  root = await IntegrationBench.open();
});
beforeEach(() => {
  noisy = root.inNewWorkspace();
  quiet = root.inNewWorkspace();
});
afterEach(async () => {
  for (const { deps, workspaceId } of [noisy, quiet]) await removeWorkspace(deps, workspaceId);
});
afterAll(() => root.store.drop());

const sale = (bench: IntegrationBench, id: number) => ({
  email: bench.clients.add().email,
  total: 5,
  id: String(id),
});

test('a flood of inbox messages of one workspace delays its own only', async () => {
  const flood = await noisy.openInbox();
  const one = await quiet.openInbox();
  for (let id = 0; id < MANY; id += 1) await flood(sale(noisy, id));
  await one(sale(quiet, 1));
  const now = root.clock.now();
  const room = { count: 16, share: 4, inHand: NOBODY };
  const first = await root.deps.messages.due.claim(room, { now, leaseMs: 1_000 });
  const whose = first.map(({ turn }) => turn);
  expect(whose.filter((id) => id === quiet.workspaceId)).toHaveLength(1);
  expect(whose.filter((id) => id === noisy.workspaceId)).toHaveLength(4);
});

test('an outside system that hangs holds up its own workspace, and no other', async () => {
  const access = { config: { base_url: 'https://crm.example' }, secrets: { api_key: 'key' } };
  const hung: (() => void)[] = [];
  const down: RestAnswer = { status: 500, error: 'hung up', retryAfterMs: null };
  noisy.respond = () =>
    new Promise<RestAnswer>((resolve) => {
      hung.push(() => resolve(down));
    });
  for (const bench of [noisy, quiet]) {
    await bench.put('crm_sync', { ...access, enabled_outbound: true });
    const count = bench === noisy ? MANY : 1;
    for (let told = 0; told < count; told += 1) {
      const { id } = bench.clients.add();
      await enqueueOutbound(bench.deps, [
        { type: 'clients.updated', workspaceid: bench.workspaceId, subject: id } as never,
      ]);
    }
  }
  // One process: a call's address says whom it is for, so both play their parts.
  const deps = { ...noisy.deps, clients: bothClients() };
  const jobs = integrationJobs({
    ...deps,
    restOf: (named) => (call) => (isQuiet(call.url) ? quiet : noisy).deps.restOf(named)(call),
  });
  const working = workOffJob(jobs, 'tell-customers');
  await until(() => quiet.calls.length === 1);
  expect(hung.length).toBeLessThanOrEqual(4);
  // What is on its way to its call hangs no more.
  noisy.respond = async () => down;
  for (const hangUp of hung) hangUp();
  await working;

  function isQuiet(url: string): boolean {
    return [...quiet.clients.people.keys()].some((id) => url.includes(id));
  }
  function bothClients() {
    const of = (id: string) => (id === quiet.workspaceId ? quiet : noisy).clients;
    return {
      ...noisy.deps.clients,
      GetClients: (request: { workspace_id: string; ids: string[] }) =>
        of(request.workspace_id).GetClients(request),
    } as typeof noisy.deps.clients;
  }
});

test('a workspace’s many imports are one at a time, and another’s is begun beside them', async () => {
  const job = (workspaceId: string, number: number) => ({
    _id: `${workspaceId}-${number}`,
    workspace_id: workspaceId,
    due_at: root.clock.now(),
  });
  const rows = root.store.connection.collection<{ _id: string }>('import_jobs');
  await rows.insertMany(Array.from({ length: 20 }, (_, number) => job(noisy.workspaceId, number)));
  await rows.insertOne(job(quiet.workspaceId, 1));
  const room = { count: 4, share: 1, inHand: NOBODY };
  const first = await root.deps.importJobs.due.claim(room, {
    now: root.clock.now(),
    leaseMs: 1_000,
  });
  const whose = new Set(first.map(({ turn }) => turn));
  expect(whose).toEqual(new Set([noisy.workspaceId, quiet.workspaceId]));
  expect(first).toHaveLength(2);
});
