import { newId } from '@laurel/lifecycle';
import { createHarness, type Harness } from '../../testing/harness';
import { notifyPasses } from './notify-passes';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.drop());

const countOf = async (id: string) =>
  (await harness.deps.passes.find(harness.workspaceId, id))?.notification_count;

async function newNotices(count: number) {
  const template = await harness.template((await harness.project()).id);
  const passes = await Promise.all(
    Array.from({ length: count }, () => harness.pass(template, { client_id: harness.client() })),
  );
  return passes.map(({ id }) => ({ pass_id: id, operation_id: newId() }));
}

const asking = (notices: { pass_id: string; operation_id: string }[], notification = 'Hello') => ({
  workspace_id: harness.workspaceId,
  notification,
  notices,
});

test.each(['Hello', 'Hello ${client.first_name}'])(
  'a text (%s) that is sent again, in part or by several at once, is shown once on each pass',
  async (text) => {
    const notices = await newNotices(5);
    await notifyPasses(harness.deps, asking(notices.slice(0, 2), text));
    const tries = await Promise.allSettled(
      [1, 2, 3].map(() => notifyPasses(harness.deps, asking(notices, text))),
    );
    expect(tries.some(({ status }) => status === 'fulfilled')).toBe(true);
    await notifyPasses(harness.deps, asking(notices, text));
    for (const { pass_id } of notices) expect(await countOf(pass_id)).toBe(1);
    const due = await harness.deps.passUpdates.countDue(
      harness.workspaceId,
      harness.clock.now(),
      9,
    );
    expect(due).toBeGreaterThanOrEqual(5);
  },
);

test('a pass that is gone, or of another workspace, is said to be so and keeps no other waiting', async () => {
  const [notice] = await newNotices(1);
  const gone = { pass_id: newId(), operation_id: newId() };
  const { passes } = await notifyPasses(harness.deps, asking([gone, notice!]));
  expect(passes).toEqual([
    { pass_id: gone.pass_id, refusal: expect.any(String) },
    { pass_id: notice!.pass_id },
  ]);
  const [foreign] = await newNotices(1);
  const elsewhere = { ...asking([foreign!]), workspace_id: newId() };
  expect((await notifyPasses(harness.deps, elsewhere)).passes[0]).toHaveProperty('refusal');
  expect(await countOf(foreign!.pass_id)).toBe(0);
});
