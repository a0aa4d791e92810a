import type { Refusal } from '@laurel/errors';
import type { Request } from 'express';
import type { RpcClients } from '../rpc-clients';
import { isUuid } from '../schema/types';

/** Limits of part 3, section 15; each is set by RATE_LIMIT_<NAME>_PER_MINUTE, those to sign in and for pictures by that of IP. */
export type LimitName =
  | 'TOKEN'
  | 'IP'
  | 'SIGN_IN'
  | 'ASSET'
  | 'PORTAL_SESSION'
  | 'PORTAL_ERASE'
  | 'ENROLL'
  | 'WALLET'
  | 'EMBED'
  | 'WRONG_CREDENTIAL';

type Params = Readonly<Record<string, string>>;

/**
 * Says which workspace the row of a request belongs to. The body is not yet checked: '' admits the
 * caller to no workspace and leaves the answer to the form check and the route.
 */
export type FindWorkspace = (rpc: RpcClients, params: Params, body: unknown) => Promise<string>;

/** The workspace of the row that a path parameter names; what can be no id names none. */
export function workspaceOfRow(
  locate: (rpc: RpcClients, row: { id: string }) => Promise<{ workspace_id: string }>,
  parameter = 'id',
): FindWorkspace {
  return async (rpc, { [parameter]: id }) =>
    isUuid(id) ? (await locate(rpc, { id })).workspace_id : '';
}

/** How a route finds the workspace that its caller must belong to. */
export type WorkspaceScope =
  | { from: 'path' }
  | { from: 'none' }
  | { from: 'row'; find: FindWorkspace }
  | { from: 'body' | 'query'; field: string };

/** What somebody who is not signed in bears all the same, and which answers call it wrong. */
export interface Bearing {
  credential?: (request: Request) => string | undefined;
  isWrong?: (refusal: Refusal) => boolean;
  /** Calls are counted on the credential, once it was right, in place of the address. */
  countedOnCredential?: boolean;
  /** The credential is in the body, or may be missing: whatever is refused as wrong is counted, too. */
  countsRefused?: true;
}

/** The trust class of a route, picked by name: a credential of one stack opens no route of another. */
export type Stack =
  | ({ name: 'open'; limit: LimitName } & Bearing)
  | { name: 'member'; scope: WorkspaceScope; permission: string | null; mobileMayRead: boolean }
  | { name: 'mobile'; evenWhenDisabled: boolean }
  | { name: 'portal'; limit: LimitName | null; deletedMayCall: boolean }
  | ({ name: 'embed'; limit: LimitName } & Bearing)
  | { name: 'page'; limit: LimitName };

/** Anyone, within a limit per address. Wrong credentials are counted by address besides. */
export function open(limit: LimitName = 'IP', bearing: Bearing = {}): Stack {
  return { name: 'open', limit, ...bearing };
}

/** A member of the workspace in the path, with a permission where one is named. */
export function member({
  permission = null,
  mobileMayRead = false,
}: {
  permission?: string | null;
  mobileMayRead?: boolean;
} = {}): Stack {
  return { name: 'member', scope: { from: 'path' }, permission, mobileMayRead };
}

/** A signed-in user; no workspace is involved. */
export function user(): Stack {
  return { name: 'member', scope: { from: 'none' }, permission: null, mobileMayRead: false };
}

/** A member of the workspace that the row belongs to; for anybody else the row does not exist. */
export function memberOfRow(
  find: FindWorkspace,
  { permission = null }: { permission?: string | null } = {},
): Stack {
  return { name: 'member', scope: { from: 'row', find }, permission, mobileMayRead: false };
}

/** A member of the workspace that a field of the body or query names. */
export function memberOfField(
  from: 'body' | 'query',
  field = 'workspace_id',
  { permission = null }: { permission?: string | null } = {},
): Stack {
  return { name: 'member', scope: { from, field }, permission, mobileMayRead: false };
}

/** The staff app, by X-Mobile-Token; not while it is switched off, unless the route is there to say so. */
export function mobile({ evenWhenDisabled = false }: { evenWhenDisabled?: boolean } = {}): Stack {
  return { name: 'mobile', evenWhenDisabled };
}

/**
 * The client portal, by x-client-token; within a further limit per address where one is named.
 * `deletedMayCall` leaves a client that was deleted to the route, which has its own answer to it.
 */
export function portal({
  limit = null,
  deletedMayCall = false,
}: {
  limit?: LimitName | null;
  deletedMayCall?: boolean;
} = {}): Stack {
  return { name: 'portal', limit, deletedMayCall };
}

/** The enrollment widget, by the distribution token in the path; within a limit per address. */
export function embed(limit: LimitName = 'IP'): Stack {
  return {
    name: 'embed',
    limit,
    credential: ({ params }) => params.token as string | undefined,
    isWrong: ({ httpStatus }) => httpStatus === 404,
  };
}

/** Pages that the platform itself serves, on their way in: the one place that reads and writes cookies. */
export function page(limit: LimitName = 'IP'): Stack {
  return { name: 'page', limit };
}
