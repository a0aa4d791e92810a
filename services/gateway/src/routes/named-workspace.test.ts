import { platform } from '@laurel/errors';
import request from 'supertest';
import { anonymous } from '../middleware/caller';
import { createWorkspaceGuard } from '../middleware/workspace-guard';
import type { RpcClients } from '../rpc-clients';
import { testApp } from '../testing/test-app';
import { routes } from './index';

const FOREIGN = '018f3c5e-7b1a-7c3d-9e2f-0123456789b0';
/** What makes the form of one of the routes whole. */
const INVITATION = { email: 'stranger@mail.example', role: 'admin' };
const SPELLINGS = [FOREIGN, FOREIGN.toUpperCase(), FOREIGN.replace('f', 'F')];

const named = routes.flatMap((route) => {
  const { stack } = route;
  if (stack.name !== 'member' || !('field' in stack.scope)) return [];
  return [{ route, from: stack.scope.from, field: stack.scope.field }];
});

/** Whatever is asked of any service is noted. */
function noting() {
  const asked: string[] = [];
  const service = (name: string) =>
    new Proxy({}, { get: (_, rpc) => async () => void asked.push(`${name}.${String(rpc)}`) });
  const rpc = new Proxy({}, { get: (_, name) => service(String(name)) }) as RpcClients;
  return { asked, rpc };
}
const stranger = async () => ({ ...anonymous('ip'), type: 'user', userId: 'stranger' });

test('some routes find their workspace in what a body or query names', () => {
  expect(named.map(({ route: { method, path } }) => `${method} ${path}`)).toContain(
    'post /service-api/invite',
  );
});

test.each(named.flatMap((one) => SPELLINGS.map((id) => ({ ...one, id }))))(
  'a stranger gets nothing of $route.method $route.path in the workspace $id, however it is spelled',
  async ({ route, from, field, id }) => {
    const { asked, rpc } = noting();
    const admit = createWorkspaceGuard({
      rpc,
      membership: () => Promise.reject(platform.forbidden()),
      workspaceOfKey: async () => null,
    });
    const app = testApp([route], { rpc, authenticate: { caller: stranger, admit } });
    const call = request(app)[route.method](route.path);
    const naming = { ...INVITATION, [field]: id };
    const reply = await (from === 'body' ? call.send(naming) : call.query(naming));
    expect([reply.status, asked]).toEqual([403, []]);
  },
);

test('no caller invites into a workspace that the guard was not asked about', async () => {
  const { asked, rpc } = noting();
  const invite = named.filter(({ route }) => route.path.endsWith('/invite'));
  const admit = async () => '';
  const app = testApp(
    invite.map(({ route }) => route),
    { rpc, authenticate: { caller: stranger, admit } },
  );
  const body = { ...INVITATION, workspace_id: FOREIGN };
  const reply = await request(app).post('/service-api/invite').send(body);
  expect([reply.status, asked]).toEqual([403, []]);
});
