import { newId, runInContext, systemContext } from '@laurel/lifecycle';
import type { passes as api } from '@laurel/rpc';
import { createHarness, type Harness } from '../../testing/harness';
import { notifyPasses } from './notify-passes';
import { updatePass } from './update-pass';

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

const asking = (notices: api.PassNotice[], notification = 'Hello') => ({
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
    { pass_id: gone.pass_id, refusal: expect.any(String), is_missing: true },
    { pass_id: notice!.pass_id },
  ]);
  const [foreign] = await newNotices(1);
  const elsewhere = { ...asking([foreign!]), workspace_id: newId() };
  expect((await notifyPasses(harness.deps, elsewhere)).passes[0]).toHaveProperty('refusal');
  expect(await countOf(foreign!.pass_id)).toBe(0);
});

describe.each(['Hello', 'Hello ${client.first_name}'])(
  'a text (%s) that names its client',
  (text) => {
    const noticeFor = async (client_id: string) => {
      const template = await harness.template((await harness.project()).id);
      const { id } = await harness.pass(template, { client_id });
      return { pass_id: id, operation_id: newId(), client_id };
    };
    const handOver = ({ pass_id: id }: api.PassNotice, client_id: string | null) => {
      const { deps, workspaceId } = harness;
      // Another request than the one in whose middle it happens.
      return runInContext(systemContext({ workspaceId }), () =>
        updatePass(deps, { workspace_id: workspaceId, id, client_id }),
      );
    };
    const notify = async (notices: api.PassNotice[], deps = harness.deps) =>
      (await notifyPasses(deps, asking(notices, text))).passes;

    test('is not shown on a pass that is another client’s by then, or no client’s, and whose it is gets theirs', async () => {
      const [one, other] = [harness.client(), harness.client()];
      const notice = await noticeFor(one);
      const mine = await noticeFor(one);
      await handOver(notice, other);
      const refused = { pass_id: notice.pass_id, refusal: expect.stringContaining('client') };
      expect(await notify([notice, mine])).toEqual([refused, { pass_id: mine.pass_id }]);
      expect([await countOf(notice.pass_id), await countOf(mine.pass_id)]).toEqual([0, 1]);
      const next = { ...notice, client_id: other };
      expect(await notify([notice, next])).toEqual([refused, { pass_id: notice.pass_id }]);
      expect(await countOf(notice.pass_id)).toBe(1);
      await handOver(mine, null);
      const again = { ...mine, operation_id: newId() };
      const missing = { ...refused, pass_id: mine.pass_id, is_missing: true };
      expect(await notify([again])).toEqual([missing]);
      expect(await countOf(mine.pass_id)).toBe(1);
    });

    test('is not shown on a pass that is handed over between the look whose it is and the change', async () => {
      const notice = await noticeFor(harness.client());
      const { passes } = harness.deps;
      let isHandedOver = false;
      const handingOver = async () => {
        if (!isHandedOver) await handOver(notice, harness.client());
        isHandedOver = true;
      };
      const find: typeof passes.find = async (...asked) => {
        const found = await passes.find(...asked);
        if (asked[2] === undefined) await handingOver();
        return found;
      };
      const holdersOf: typeof passes.holdersOf = async (...asked) => {
        const found = await passes.holdersOf(...asked);
        await handingOver();
        return found;
      };
      const late = { ...harness.deps, passes: { ...passes, find, holdersOf } };
      expect((await notify([notice], late))[0]).toHaveProperty('refusal');
      expect(isHandedOver).toBe(true);
      expect(await countOf(notice.pass_id)).toBe(0);
    });

    test('is shown on the pass of whom they became, whichever service hears of the merge first, and once for both names', async () => {
      const [source, target] = [harness.client(), harness.client()];
      const notice = await noticeFor(source);
      harness.peers.successors.set(source, target);
      const inNewName = { ...notice, client_id: target };
      expect(await notify([inNewName, notice])).toEqual(Array(2).fill({ pass_id: notice.pass_id }));
      expect(await countOf(notice.pass_id)).toBe(1);
      const later = { ...notice, operation_id: newId() };
      await handOver(notice, target);
      expect(await notify([later, later])).toEqual(Array(2).fill({ pass_id: notice.pass_id }));
      expect(await countOf(notice.pass_id)).toBe(2);
    });
  },
);

test('two texts to one pass are two, also where they are the same one', async () => {
  const [notice] = await newNotices(1);
  for (const text of ['Hello', 'Hello', 'Good night']) {
    const own = { ...notice!, operation_id: newId() };
    await notifyPasses(harness.deps, asking([own], text));
    await notifyPasses(harness.deps, asking([own], text));
  }
  expect(await countOf(notice!.pass_id)).toBe(3);
});
