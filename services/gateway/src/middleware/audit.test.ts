import { readFileSync } from 'node:fs';
import path from 'node:path';
import { systemContext } from '@laurel/lifecycle';
import { routes } from '../routes';
import { expandPath, type Method } from '../routing/route';
import { createAudit, nameChange } from './audit';
import type { AuditTrail } from './audit-trail';
import { anonymous } from './caller';

test.each<[Method, string, string, string]>([
  ['post', ':ws/clients', 'clients.create', 'client'],
  ['patch', ':ws/clients/:id', 'clients.update', 'client'],
  ['post', ':ws/clients/:id/anonymize', 'clients.anonymize', 'client'],
  ['post', ':ws/loyalty/points/earn', 'points.earn', 'point'],
  ['patch', ':ws/members/:userId/role', 'members.update', 'member'],
  ['post', '/invite', 'invitations.create', 'invitation'],
  ['delete', '/invitation/:invitationId', 'invitations.delete', 'invitation'],
  ['post', '/invitation/:invitationId/resend', 'invitations.resend', 'invitation'],
  ['patch', ':ws', 'workspaces.update', 'workspace'],
  ['patch', '/passes/:id', 'passes.update', 'pass'],
  ['post', ':ws/pushes/:pushId/retry', 'pushes.retry', 'push'],
  ['patch', ':ws/settings', 'settings.update', 'setting'],
  ['post', '/events/batch', 'events.batch', 'event'],
  ['delete', '/events/batch', 'events.delete', 'event'],
  [
    'put',
    ':ws/clients/:id/external-identities/:provider',
    'external-identities.update',
    'external-identity',
  ],
])('%s %s is noted as %s of a %s', (method, address, action, entity) => {
  expect(nameChange({ method, path: expandPath(address) })).toEqual({ action, entity });
});

test('the console has words for every change that is noted', () => {
  const file = path.join(__dirname, '../../../../packages/console-page/src/words/en/audit.ts');
  const words = readFileSync(file, 'utf8');
  const noted = routes.filter(
    ({ method, readOnly, stack, admitsItself }) =>
      method !== 'get' &&
      !readOnly &&
      (admitsItself ||
        stack.name === 'mobile' ||
        (stack.name === 'member' && stack.scope.from !== 'none')),
  );
  const keys = noted.flatMap((route) => {
    const [thing, done] = nameChange(route).action.split('.');
    return [`'thing.${thing}'`, `'done.${done}'`];
  });
  expect([...new Set(keys)].filter((key) => !words.includes(key))).toEqual([]);
});

/** What is kept of a change that a token makes by a route. */
async function noted(method: Method, ending: string, asked: object) {
  const kept: Record<string, unknown>[] = [];
  const keep = async (record: (typeof kept)[number]) => void kept.push(record);
  const route = routes.find((one) => one.method === method && one.path.endsWith(ending))!;
  const caller = { ...anonymous('ip'), type: 'token', userId: 'u' };
  const input = { caller, context: systemContext(), params: {}, workspaceId: '', ...asked };
  const { record } = createAudit({ keep } as unknown as AuditTrail);
  await record(route, input as never, { before: null, answer: { body: { data: {} } } });
  return kept;
}

test('a change is noted in each workspace that its handler has admitted the caller to', async () => {
  const admitted = new Set(['a', 'b']);
  const kept = await noted('post', '/events/batch', { body: { events: [] }, admitted });
  expect(kept.map(({ workspace_id, action }) => [workspace_id, action])).toEqual([
    ['a', 'events.batch'],
    ['b', 'events.batch'],
  ]);
});

test('a change of a part of a client is noted with the client that it is of', async () => {
  const params = { workspaceId: 'w', id: 'ann', provider: 'pos' };
  const ending = '/:id/external-identities/:provider';
  const kept = await noted('delete', ending, { params, workspaceId: 'w' });
  expect(kept).toMatchObject([{ entity_id: 'pos', client_id: 'ann' }]);
});

test('of a merge is noted who was merged into whom, and of a transfer whose points they were', async () => {
  const merge = { source_client_id: 'ann', target_client_id: 'bob' };
  const merged = await noted('post', '/clients/merge', { body: merge, workspaceId: 'w' });
  expect(merged).toMatchObject([
    { action: 'clients.merge', values: [{ name: 'source_client_id', from: 'ann', to: 'bob' }] },
  ]);
  const transfer = { from_client_id: 'ann', to_client_id: 'bob', amount: 5 };
  const moved = await noted('post', '/points/transfer', { body: transfer, workspaceId: 'w' });
  expect(moved).toMatchObject([{ action: 'points.transfer', client_id: 'ann', values: [] }]);
});
