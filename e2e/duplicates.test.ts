import { newForm } from './support/enrollment';
import { expectStatus, newWalletType, newWorkspace, type TestWorkspace } from './support/factories';
import { expectRefusal } from './support/referrals';

let workspace: TestWorkspace;
let stranger: TestWorkspace;
beforeAll(async () => {
  [workspace, stranger] = await Promise.all([newWorkspace(), newWorkspace()]);
  await newWalletType(workspace, { code: 'beans' });
});

describe('a copy', () => {
  test('of a reward, a rule, a card and a form is named apart, and nothing happens by it yet', async () => {
    const { body: reward } = expectStatus(
      await workspace.post(':ws/rewards', { name: 'Coffee', cost_in_points: 100 }),
      200,
    );
    const { body: rule } = expectStatus(
      await workspace.post(':ws/automations', {
        name: 'Double',
        trigger_type: 'transaction',
        effects: [{ type: 'send_push', body: 'Hello' }],
      }),
      201,
    );
    await newForm({ name: 'Counter' }, workspace);
    const [form] = (await workspace.get(':ws/distributions')).body.data;
    const copies: [path: string, name: string, state: object][] = [
      [`:ws/rewards/${reward.data.id}`, 'Coffee', { active: false }],
      [`:ws/automations/${rule.data.id}`, 'Double', { active: false }],
      [`:ws/distributions/${form.id}`, form.name, { status: 'paused', api_token_prefix: null }],
    ];
    for (const [path, name, state] of copies) {
      const key = { 'Idempotency-Key': path };
      const first = expectStatus(await workspace.post(`${path}/duplicate`, {}, key), 201).body.data;
      expect(first).toMatchObject({ name: `${name} (copy)`, ...state });
      const again = await workspace.post(`${path}/duplicate`, {}, key);
      expect(again.body.data.id).toBe(first.id);
      const second = expectStatus(await workspace.post(`${path}/duplicate`, {}), 201).body.data;
      expect(second.name).toBe(`${name} (copy 2)`);
      expect((await stranger.post(`${path}/duplicate`, {})).status).toBe(404);
    }
    const card = `/pass-templates/${form.pass_template_id}/duplicate`;
    const copy = expectStatus(await workspace.post(card, {}), 201).body.data;
    expect(copy).toMatchObject({
      name: expect.stringMatching(/ \(copy\)$/),
      statistics: { passes: 0 },
    });
    expect(copy.id).not.toBe(form.pass_template_id);
  });
});

describe('POST :ws/automations/reorder', () => {
  test('puts all rules into the order in which they run', async () => {
    const { data: rules } = (await workspace.get(':ws/automations')).body;
    const rule_ids = rules.map(({ id }: { id: string }) => id).reverse();
    const { body } = expectStatus(
      await workspace.post(':ws/automations/reorder', { rule_ids }),
      200,
    );
    expect(body.data).toEqual(rule_ids.map((id: string, priority: number) => ({ id, priority })));
    const after = (await workspace.get(':ws/automations')).body.data;
    expect(after.map(({ id }: { id: string }) => id)).toEqual(rule_ids);
    const some = { rule_ids: rule_ids.slice(1) };
    expectRefusal(await workspace.post(':ws/automations/reorder', some), 400, 'INVALID_PAYLOAD');
  });
});
