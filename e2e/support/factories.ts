import { randomUUID } from 'node:crypto';
import { type Caller, type CallOptions, call, callerFor, type Reply } from './api';
import { confirmationTo, tokenIn } from './mails';

export const PASSWORD = 'correct horse battery staple';

export interface SignedInUser {
  id: string;
  email: string;
  token: string;
  refreshToken: string;
}

/** Fails with the whole answer when the status is not the one expected. */
export function expectStatus(reply: Reply, status: number): Reply {
  if (reply.status !== status)
    throw new Error(`expected ${status}, got ${reply.status}: ${reply.text}`);
  return reply;
}

/** An address that no other test uses. */
export function uniqueEmail(name = 'user'): string {
  return `${name}-${randomUUID()}@example.com`;
}

/** @param ask Sends the request; where one gateway or the other may be away, it must know which. */
export async function signIn(
  email: string,
  password = PASSWORD,
  ask: (method: string, path: string, options: CallOptions) => Promise<Reply> = call,
): Promise<{ token: string; refreshToken: string }> {
  const { body } = expectStatus(
    await ask('POST', '!/auth/login', { body: { email, password } }),
    200,
  );
  return { token: body.data.access_token, refreshToken: body.data.refresh_token };
}

/** A registered user, signed in. */
export async function newUser(
  overrides: { email?: string; first_name?: string } = {},
): Promise<SignedInUser> {
  const email = overrides.email ?? uniqueEmail();
  const { body } = expectStatus(
    await call('POST', '!/auth/register', { body: { ...overrides, email, password: PASSWORD } }),
    201,
  );
  return { id: body.data.id, email, ...(await signIn(email)) };
}

/** The same user, once the link in the mail of registration was opened. */
export async function verified(user: SignedInUser): Promise<SignedInUser> {
  const token = tokenIn(await confirmationTo(user.email));
  expectStatus(await call('POST', '!/auth/verify-email', { body: { token } }), 200);
  return user;
}

export interface TestWorkspace extends Caller {
  owner: SignedInUser;
  slug: string;
}

/** A workspace of its own for one test, seen by its creator. */
export async function newWorkspace(overrides: object = {}): Promise<TestWorkspace> {
  const owner = await newUser();
  const { body } = expectStatus(
    await call('POST', '/workspaces', {
      token: owner.token,
      body: { name: 'Coffee Corner', ...overrides },
    }),
    201,
  );
  return { ...callerFor(owner.token, body.data.id), owner, slug: body.data.slug };
}

/** The same workspace through a further session of its creator: requests are counted per session. */
export async function inNewSession(workspace: TestWorkspace): Promise<TestWorkspace> {
  const { token } = await signIn(workspace.owner.email);
  return { ...workspace, ...callerFor(token, workspace.workspaceId) };
}

/** The same workspace seen by another user with the given role. */
export async function newMember(
  workspace: TestWorkspace,
  role = 'member',
): Promise<Caller & { user: SignedInUser }> {
  const user = await newUser();
  expectStatus(await workspace.post(':ws/members', { user_id: user.id, role }), 201);
  return { ...callerFor(user.token, workspace.workspaceId), user };
}

/** The default wallet type, or a further one. */
export async function newWalletType(
  workspace: Caller,
  overrides: object = {},
): Promise<{ id: string; code: string }> {
  const code = `points_${randomUUID().slice(0, 8)}`;
  const { body } = expectStatus(
    await workspace.post(':ws/wallet-types', { code, name: 'Points', ...overrides }),
    201,
  );
  return body.data;
}

export async function newClient(
  workspace: Caller,
  overrides: object = {},
): Promise<{ id: string; email: string }> {
  const { body } = expectStatus(
    await workspace.post(':ws/clients', { email: uniqueEmail('client'), ...overrides }),
    201,
  );
  return body.data;
}
