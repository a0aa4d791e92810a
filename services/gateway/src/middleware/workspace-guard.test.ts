import { platform } from '@laurel/errors';
import type { Stack } from '../routing';
import type { RpcClients } from '../rpc-clients';
import { anonymous, type Caller } from './caller';
import type { UsedKey } from './used-keys';
import { createWorkspaceGuard, type Parts, requireAdmitted } from './workspace-guard';

const OWN = '018f3c5e-7b1a-7c3d-9e2f-0123456789a0';
const FOREIGN = '018f3c5e-7b1a-7c3d-9e2f-0123456789b0';
const rpc = {} as RpcClients;

/** Of one workspace alone, where they may read clients. */
const membership = async (workspaceId: string, { userId }: Caller) => {
  if (workspaceId !== OWN) throw platform.forbidden();
  const permissions = ['clients.read'];
  return {
    workspaceId,
    userId: userId!,
    role: 'staff',
    roleId: null,
    permissions,
    isCreator: false,
  };
};
/** The keys that were used, each in its workspace. */
const keys: Record<string, string> = { own: OWN, foreign: FOREIGN };
const workspaceOfKey = async (_caller: Caller, { key }: UsedKey) => keys[key] ?? null;
const admit = createWorkspaceGuard({ rpc, membership, workspaceOfKey });

type MemberScope = Extract<Stack, { name: 'member' }>['scope'];
const routeOf = (scope: object, permission: string | null = null) =>
  ({ name: 'member', scope: scope as MemberScope, permission }) as Stack;
const someone = (more: Partial<Caller> = {}): Caller => ({
  ...anonymous('ip'),
  type: 'user',
  userId: 'u',
  ...more,
});
const parts = (more: Partial<Parts> = {}): Parts => ({
  params: {},
  query: {},
  body: undefined,
  ...more,
});
const foundIn = (workspaceId: string | Error) => ({
  from: 'row',
  find: async () => {
    if (workspaceId instanceof Error) throw workspaceId;
    return workspaceId;
  },
});
/** What came of asking: the workspace, or the code of the refusal. */
const asked = (stack: Stack, given: Partial<Parts> = {}, caller = someone()) =>
  admit(stack, caller, parts(given)).catch(({ code, message }) => code ?? message);

test.each(['mobile', 'client'] as const)(
  'a %s is where its token is from, whatever it asks',
  async (type) => {
    const own = await membership(OWN, someone());
    const caller = someone({ type, membership: own });
    const anywhere = routeOf({ from: 'query', field: 'workspace_id' }, 'nothing anybody has');
    expect(await asked(anywhere, { query: { workspace_id: FOREIGN } }, caller)).toBe(OWN);
  },
);

test('who is asked for no workspace is admitted to none', async () => {
  expect(await asked({ name: 'user' } as unknown as Stack)).toBe('');
  expect(await asked(routeOf({ from: 'none' }))).toBe('');
});

test('the workspace of the path is who was found to be a member there asks about', async () => {
  const caller = someone({ membership: await membership(OWN, someone()) });
  const given = { params: { workspaceId: OWN } };
  expect(await asked(routeOf({ from: 'path' }), given, caller)).toBe(OWN);
  expect(await asked(routeOf({ from: 'path' }, 'clients.read'), given, caller)).toBe(OWN);
  expect(await asked(routeOf({ from: 'path' }, 'clients.write'), given, caller)).toBe('FORBIDDEN');
  await expect(
    admit(routeOf({ from: 'path' }, 'clients.write'), caller, parts(given)),
  ).rejects.toThrow('this needs the permission clients.write');
});

test('the workspace of the path is refused to who was found to be a member nowhere, or elsewhere', async () => {
  const path = routeOf({ from: 'path' });
  const own = await membership(OWN, someone());
  const spelt = `${OWN.slice(0, 9)}${OWN.slice(9).replaceAll('-', '')}`;
  expect(await asked(path, { params: { workspaceId: spelt } })).toBe('FORBIDDEN');
  for (const workspaceId of [FOREIGN, spelt])
    expect(await asked(path, { params: { workspaceId } }, someone({ membership: own }))).toBe(
      'FORBIDDEN',
    );
});

test('a row of a foreign workspace is not found, to the letter as one that is not there', async () => {
  const refusalOf = (stack: Stack) => admit(stack, someone(), parts()).catch((refusal) => refusal);
  const missing = await refusalOf(routeOf(foundIn(platform.recordNotFound())));
  const foreign = await refusalOf(routeOf(foundIn(FOREIGN)));
  expect(foreign).toMatchObject({
    httpStatus: 404,
    code: missing.code,
    problems: missing.problems,
  });
  expect(await asked(routeOf(foundIn(platform.forbidden())))).toBe(missing.code);
});

test('a row says in which workspace it is, and of its members what they may', async () => {
  const caller = someone();
  expect(await asked(routeOf(foundIn(OWN), 'clients.read'), {}, caller)).toBe(OWN);
  expect(caller.membership).toMatchObject({ workspaceId: OWN, userId: 'u' });
  expect(await asked(routeOf(foundIn(OWN), 'clients.write'))).toBe('FORBIDDEN');
});

test('a row that is gone was where the key of the request was used, for who may do there what is repeated', async () => {
  const gone = foundIn(platform.recordNotFound());
  const repeat = (key: string, permission: string | null = null) =>
    asked(routeOf(gone, permission), { used: { path: '/templates/t', key } });
  expect(await repeat('own')).toBe(OWN);
  expect(await repeat('own', 'clients.read')).toBe(OWN);
  expect(await repeat('own', 'clients.write')).toBe('FORBIDDEN');
  expect(await repeat('foreign')).toBe('RECORD_NOT_FOUND');
  expect(await repeat('never used')).toBe('RECORD_NOT_FOUND');
  const elsewhere = { used: { path: '/templates/t', key: 'own' } };
  const unknown = foundIn(platform.serviceUnavailable());
  expect(await asked(routeOf(unknown), elsewhere)).toBe('SERVICE_UNAVAILABLE');
  expect(await asked(routeOf(foundIn(FOREIGN)), elsewhere)).toBe('RECORD_NOT_FOUND');
});

test('a row of no workspace asks for no membership, and no other fault is hidden', async () => {
  const caller = someone();
  expect(await asked(routeOf(foundIn('')), {}, caller)).toBe('');
  expect(caller.membership).toBeNull();
  expect(await asked(routeOf(foundIn(platform.invalidToken())))).toBe('INVALID_TOKEN');
  expect(await asked(routeOf(foundIn(new Error('the store is away'))))).toBe('the store is away');
  const stray = Object.assign(new Error('not of ours'), { httpStatus: 404 });
  expect(await asked(routeOf(foundIn(stray)))).toBe('not of ours');
});

test.each([
  ['body', 'query'],
  ['query', 'body'],
] as const)(
  'a workspace that the %s names is the one, in whatever letters',
  async (from, other) => {
    const route = routeOf({ from, field: 'workspace_id' });
    const caller = someone();
    expect(await asked(route, { [from]: { workspace_id: OWN.toUpperCase() } }, caller)).toBe(OWN);
    expect(caller.membership).toMatchObject({ workspaceId: OWN });
    expect(await asked(route, { [from]: { workspace_id: FOREIGN } })).toBe('FORBIDDEN');
    expect(await asked(route, { [other]: { workspace_id: OWN } })).toBe('');
  },
);

test.each([undefined, {}, { workspace_id: 5 }, { workspace_id: 'own' }, { workspace_id: [OWN] }])(
  'the body %j names none, which the check of its form refuses',
  async (body) => {
    const caller = someone();
    const route = routeOf({ from: 'body', field: 'workspace_id' }, 'clients.read');
    expect(await asked(route, { body }, caller)).toBe('');
    expect(caller.membership).toBeNull();
  },
);

test('what a form took for the name of a workspace is refused to who was admitted to none', () => {
  const refused = (stack: Stack, workspaceId = '') => {
    try {
      requireAdmitted(stack, workspaceId);
      return null;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  for (const from of ['body', 'query']) {
    expect(refused(routeOf({ from, field: 'workspace_id' }))).toBe('FORBIDDEN');
    expect(refused(routeOf({ from, field: 'workspace_id' }), OWN)).toBeNull();
  }
  for (const from of ['none', 'path', 'row']) expect(refused(routeOf({ from }))).toBeNull();
  expect(refused({ name: 'public', scope: { from: 'body' } } as unknown as Stack)).toBeNull();
});
