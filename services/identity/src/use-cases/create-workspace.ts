import { randomBytes } from 'node:crypto';
import { platform, Refusal } from '@laurel/errors';
import { createEvent } from '@laurel/events';
import { newId } from '@laurel/lifecycle';
import type { Session } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { requireCurrency } from '../domain/currency';
import { SANDBOX_MS, SANDBOXES_OF_ONE_MAX } from '../domain/sandbox';
import { slugFrom, slugWithSuffix } from '../domain/slug';
import { refusals } from '../refusals';
import { toWorkspace } from '../store/mapping';
import type { WorkspaceRow } from '../store/workspaces';
import { commitMembership } from './commit-membership';
import { noteChange } from './note-change';
import { workspaceChanged } from './workspace-events';

/** Opens a workspace whose creator and first admin is the caller. A slug that was asked for and is taken is a conflict. */
export async function createWorkspace(
  deps: Deps,
  request: identity.CreateWorkspaceRequest,
): Promise<identity.Workspace> {
  if (request.slug !== undefined) return openWorkspace(deps, request, request.slug);
  try {
    return await openWorkspace(deps, request, await freeSlug(deps, request.name));
  } catch (error) {
    // Another workspace of this name took the slug meanwhile; nobody asked for just that one.
    if (!(error instanceof Refusal) || error.code !== platform.conflict.definition.code)
      throw error;
    return openWorkspace(deps, request, chanceSlug(request.name));
  }
}

async function openWorkspace(
  deps: Deps,
  request: identity.CreateWorkspaceRequest,
  slug: string,
): Promise<identity.Workspace> {
  const { outbox, workspaces, members, clock, clockPeers, sandboxClocks, users } = deps;
  const now = clock.now();
  const endsAt = new Date(now.getTime() + SANDBOX_MS);
  const row: WorkspaceRow = {
    _id: newId(),
    name: request.name,
    slug,
    creator_id: request.user_id,
    created_at: now,
    settings: {
      id: newId(),
      default_currency: requireCurrency(request.default_currency ?? 'USD'),
      default_locale: request.default_locale ?? 'en',
      created_at: now,
      updated_at: now,
    },
    members_revision: 1,
    ...(request.sandbox ? { sandbox: true as const } : {}),
  };
  // Every service knows that nothing of it may leave, before there is anything of it.
  if (row.sandbox) {
    await requireRoomForSandbox(deps, request.user_id);
    await clockPeers.move(row._id, 0, endsAt);
  }
  return commitMembership(deps, request.user_id, async (session) => {
    await workspaces.insert(row, session);
    if (row.sandbox) {
      // One after the other: of several at once each would find the room that is left for one.
      await users.lockCredentials(request.user_id, session);
      await requireRoomForSandbox(deps, request.user_id, session);
      const sandbox = { workspaceId: row._id, creatorId: request.user_id, endsAt };
      await sandboxClocks.insert(sandbox, session);
    }
    await members.insert(row._id, { userId: request.user_id, role: 'admin', now }, session);
    const change = { action: 'workspaces.create', entity: 'workspace', entityId: row._id };
    await noteChange(deps, { workspaceId: row._id, ...change, now }, session);
    const data = { ...workspaceChanged(row), creator_id: request.user_id };
    await outbox.append(
      [createEvent('identity.workspace_created', { workspaceId: row._id, subject: row._id, data })],
      session,
    );
    return { result: toWorkspace(row), hasJoined: true };
  });
}

async function requireRoomForSandbox(
  { sandboxClocks, config }: Deps,
  userId: string,
  session?: Session,
): Promise<void> {
  const { own, all } = await sandboxClocks.countOf(userId, session);
  if (own >= SANDBOXES_OF_ONE_MAX || all >= config.sandboxesMax) throw refusals.tooManySandboxes();
}

async function freeSlug({ workspaces }: Deps, name: string): Promise<string> {
  const slug = slugFrom(name);
  return (await workspaces.isSlugTaken(slug)) ? chanceSlug(name) : slug;
}

/** Four bytes of chance: two workspaces of one name do not meet again. */
function chanceSlug(name: string): string {
  return slugWithSuffix(slugFrom(name), randomBytes(4).toString('hex'));
}
