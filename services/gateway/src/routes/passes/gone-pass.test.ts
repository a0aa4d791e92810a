import { platform } from '@laurel/errors';
import request from 'supertest';
import { anonymous, type Caller } from '../../middleware/caller';
import { createWorkspaceGuard } from '../../middleware/workspace-guard';
import type { RpcClients } from '../../rpc-clients';
import { testApp } from '../../testing/test-app';
import { eventRoutes } from '../events/routes';
import { passRoutes } from './routes';

const WORKSPACE = '018f3c5e-7b1a-7c3d-9e2f-0123456789a0';
const PASS = '018f3c5e-7b1a-7c3d-9e2f-0123456789ab';
const MEMBER = 'member';

/** Of the pass nothing is left but a note of whose it was. */
const rpc = {
  passes: { LocatePasses: async () => ({ passes: [] }) },
  clients: {
    LocatePasses: async ({ pass_ids, with_gone }: { pass_ids: string[]; with_gone?: boolean }) => ({
      passes: with_gone ? pass_ids.map((pass_id) => ({ pass_id, workspace_id: WORKSPACE })) : [],
    }),
  },
} as unknown as RpcClients;
const membership = async (workspaceId: string, { userId }: Caller) => {
  if (userId !== MEMBER || workspaceId !== WORKSPACE) throw platform.forbidden();
  return { workspaceId, userId, role: 'owner', roleId: null, permissions: [], isCreator: true };
};
const admit = createWorkspaceGuard({ rpc, membership, workspaceOfKey: async () => null });

const event = { pass_id: PASS, event_category: 'transaction', event_type: 'purchase', amount: 5 };
test.each([
  [`/passes/${PASS}/void`, {}],
  [`/passes/${PASS}/restore`, {}],
  ['/pass/resend', { pass_id: PASS }],
  ['/events', { ...event, currency: 'EUR' }],
])(
  'POST %s is answered as the first time under its key when the pass is gone, to members alone',
  async (path, body) => {
    const scopes: string[] = [];
    const beginIdempotent = async (scope: string) => {
      scopes.push(scope);
      return { operationId: PASS, earlier: { status: 200, headers: {}, body: { data: 'first' } } };
    };
    const askAs = (userId: string) => {
      const caller = async () => ({ ...anonymous('ip'), type: 'user', userId });
      const doubles = { rpc, authenticate: { caller, admit }, beginIdempotent };
      return request(testApp([...passRoutes, ...eventRoutes], doubles))
        .post(`/service-api${path}`)
        .set('Idempotency-Key', 'k')
        .send(body);
    };
    const again = await askAs(MEMBER);
    expect([again.status, again.body.data]).toEqual([200, 'first']);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(scopes).toEqual([expect.stringMatching(new RegExp(`^${WORKSPACE} POST `))]);
    expect((await askAs('stranger')).status).toBe(404);
    expect(scopes).toHaveLength(1);
  },
);
