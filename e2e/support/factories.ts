import { randomUUID } from 'node:crypto';
import type {
  AuthRegisterBody,
  Client,
  ClientsCreateBody,
  MembersCreateBody,
  WalletType,
  WalletTypesCreateBody,
  WorkspacesCreateBody,
} from '@laurel/client';
import { type Caller, callerFor, laurelFor, type Reply } from './api';
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

export async function signIn(
  email: string,
  password = PASSWORD,
): Promise<{ token: string; refreshToken: string }> {
  const { access_token, refresh_token } = await laurelFor().auth.login({ email, password });
  return { token: access_token, refreshToken: refresh_token };
}

/** A registered user, signed in. */
export async function newUser(overrides: Partial<AuthRegisterBody> = {}): Promise<SignedInUser> {
  const email = overrides.email ?? uniqueEmail();
  const { id } = await laurelFor().auth.register({ ...overrides, email, password: PASSWORD });
  return { id, email, ...(await signIn(email)) };
}

/** The same user, once the link in the mail of registration was opened. */
export async function verified(user: SignedInUser): Promise<SignedInUser> {
  await laurelFor().auth.verifyEmail({ token: tokenIn(await confirmationTo(user.email)) });
  return user;
}

export interface TestWorkspace extends Caller {
  owner: SignedInUser;
  slug: string;
}

/** A workspace of its own for one test, seen by its creator. */
export async function newWorkspace(
  overrides: Partial<WorkspacesCreateBody> = {},
): Promise<TestWorkspace> {
  const owner = await newUser();
  const { id, slug } = await laurelFor({ token: owner.token }).workspaces.create({
    name: 'Coffee Corner',
    ...overrides,
  });
  return { ...callerFor(owner.token, id), owner, slug };
}

/** The same workspace through a further session of its creator: requests are counted per session. */
export async function inNewSession(workspace: TestWorkspace): Promise<TestWorkspace> {
  const { token } = await signIn(workspace.owner.email);
  return { ...workspace, ...callerFor(token, workspace.workspaceId) };
}

/** The same workspace seen by another user with the given role. */
export async function newMember(
  workspace: TestWorkspace,
  role: MembersCreateBody['role'] = 'member',
): Promise<Caller & { user: SignedInUser }> {
  const user = await newUser();
  await workspace.laurel.members.create({ user_id: user.id, role });
  return { ...callerFor(user.token, workspace.workspaceId), user };
}

/** The default wallet type, or a further one. */
export function newWalletType(
  { laurel }: Caller,
  overrides: Partial<WalletTypesCreateBody> = {},
): Promise<WalletType> {
  const code = `points_${randomUUID().slice(0, 8)}`;
  return laurel.walletTypes.create({ code, name: 'Points', ...overrides });
}

/** With an address, unless it is to have none. */
export async function newClient(
  { laurel }: Caller,
  overrides: ClientsCreateBody = {},
): Promise<Client & { email: string }> {
  const client = await laurel.clients.create({ email: uniqueEmail('client'), ...overrides });
  return { ...client, email: client.email ?? '' };
}
