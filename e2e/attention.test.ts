import { randomUUID } from 'node:crypto';
import { until } from '@laurel/testing';
import { callerFor } from './support/api';
import {
  expectStatus,
  newClient,
  newMember,
  newUser,
  newWalletType,
  newWorkspace,
  type TestWorkspace,
} from './support/factories';
import { expectRefusal } from './support/referrals';

const attention = async (workspace: Pick<TestWorkspace, 'get'>) =>
  expectStatus(await workspace.get(':ws/attention'), 200).body;

test('a workspace in which all is well needs no attention, and strangers learn nothing of it', async () => {
  const workspace = await newWorkspace();
  const member = await newMember(workspace);
  // A service that is slow is named as missing.
  const { data } = await until(async () => {
    const told = await attention(member);
    return told.meta.missing.length === 0 && told;
  });
  expect(data).toEqual([]);
  const stranger = await newUser();
  const outside = callerFor(stranger.token, workspace.workspaceId);
  expectRefusal(await outside.get(':ws/attention'), 403, 'FORBIDDEN');
});

test('rules that fail, codes that run out and imports that break off need somebody, errors first', async () => {
  const workspace = await newWorkspace();
  await newWalletType(workspace, { code: 'points' });
  const type = `quiz_${randomUUID()}`;
  const effect = {
    type: 'earn_points',
    wallet_type_code: 'points',
    amount_type: 'expression',
    amount_expression: 'event.metadata.missing * 2',
  };
  const rule = expectStatus(
    await workspace.post(':ws/automations', {
      name: 'Quiz',
      trigger_type: 'custom_event',
      trigger_config: { event_types: [type] },
      effects: [effect],
    }),
    201,
  ).body.data;
  const { id: client_id } = await newClient(workspace);
  const reward = (await workspace.post(':ws/rewards', { name: 'Mug', cost_in_points: 0 })).body
    .data;
  const codes = { codes: ['FIRST', 'SECOND'] };
  expectStatus(await workspace.post(`:ws/rewards/${reward.id}/coupons/import`, codes), 201);
  // One without codes of its own runs out of none.
  await workspace.post(':ws/rewards', { name: 'Coffee', cost_in_points: 0 });
  for (const count of [1, 2]) {
    const event = { client_id, event_type: type };
    expectStatus(await workspace.post(':ws/custom-events', event), 201);
    await until(async () => {
      const { data } = await attention(workspace);
      return data.some(
        (each: { kind: string; count: number }) =>
          each.kind === 'rule_failed' && each.count === count,
      );
    });
  }
  const broken = new FormData();
  broken.set(
    'file',
    new Blob(['email,first_name\na@example.com,"Ada'], { type: 'text/csv' }),
    'a.csv',
  );
  const { id: jobId } = expectStatus(await workspace.post(':ws/clients/import', broken), 202).body
    .data;
  await until(async () => (await attention(workspace)).data.length === 3);
  const { data } = await attention(workspace);
  expect(data.map(({ severity }: { severity: string }) => severity)).toEqual([
    'error',
    'error',
    'warning',
  ]);
  expect(data).toEqual(
    expect.arrayContaining([
      {
        kind: 'rule_failed',
        severity: 'error',
        count: 2,
        since: expect.stringMatching(/Z$/),
        subject: { type: 'rule', id: rule.id, name: 'Quiz' },
      },
      expect.objectContaining({
        kind: 'import_failed',
        subject: { type: 'client_import', id: jobId, name: 'csv' },
      }),
      expect.objectContaining({
        kind: 'coupons_low',
        count: 2,
        subject: { type: 'reward', id: reward.id, name: 'Mug' },
      }),
    ]),
  );
  const other = await newWorkspace();
  expect((await attention(other)).data).toEqual([]);
});
