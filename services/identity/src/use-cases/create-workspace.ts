import { randomBytes } from 'node:crypto';
import { platform, Refusal } from '@laurel/errors';
import { createEvent } from '@laurel/events';
import { newId } from '@laurel/lifecycle';
import { repeatable, type Session } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { requireCurrency } from '../domain/currency';
import { SANDBOX_MS, SANDBOXES_OF_ONE_MAX } from '../domain/sandbox';
import { slugFrom, slugWithSuffix } from '../domain/slug';
import { refusals } from '../refusals';
import type { WorkspaceRow } from '../store/workspaces';
import { commitMembership } from './commit-membership';
import { noteChange } from './note-change';
import { toWorkspaceReply } from './wire';
import { workspaceChanged } from './workspace-events';

/** Opens a workspace whose creator and first admin is the caller. A slug that was asked for and is taken is a conflict. */
export async function createWorkspace(
  deps: Deps,
  request: identity.CreateWorkspaceRequest,
): Promise<identity.Workspace> {
  const { name, slug: wanted } = request;
  // A repeat hears of the workspace that there is, also where it was the last one that there was room for.
  return repeatable(deps.connection, () =>
    wanted === undefined
      ? underFreeSlug(deps, name, (slug) => openWorkspace(deps, request, slug))
      : openWorkspace(deps, request, wanted),
  );
}

/** Makes a workspace under a slug of its name that is free, or of chance where it is taken meanwhile. */
export async function underFreeSlug<T>(
  deps: Pick<Deps, 'workspaces'>,
  name: string,
  make: (slug: string) => Promise<T>,
): Promise<T> {
  try {
    return await make(await freeSlug(deps, name));
  } catch (error) {
    // Another workspace of this name took the slug meanwhile; it was not asked for by name.
    if (!(error instanceof Refusal) || error.code !== platform.conflict.definition.code)
      throw error;
    return make(chanceSlug(name));
  }
}

async function openWorkspace(
  deps: Deps,
  request: identity.CreateWorkspaceRequest,
  slug: string,
): Promise<identity.Workspace> {
  const { clock, clockPeers } = deps;
  const now = clock.now();
  const endsAt = new Date(now.getTime() + SANDBOX_MS);
  const settings = {
    default_currency: requireCurrency(request.default_currency ?? 'USD'),
    default_locale: request.default_locale ?? 'en',
  };
  const { name, user_id: userId } = request;
  const row: WorkspaceRow = {
    ...newWorkspaceRow({ id: newId(), name, slug, userId, settings, now }),
    ...(request.sandbox ? { sandbox: true as const } : {}),
  };
  // Every service knows that nothing of it may leave, before there is anything of it.
  if (row.sandbox) {
    await requireRoomForSandbox(deps, userId);
    await clockPeers.move(row._id, 0, endsAt);
  }
  return commitMembership(deps, userId, async (session) => {
    await addWorkspace(deps, { row, endsAt }, session);
    return { result: toWorkspaceReply(row), hasJoined: true };
  });
}

interface NewWorkspace extends Pick<WorkspaceRow, 'name' | 'slug'> {
  id: string;
  /** Who makes it. */
  userId: string;
  settings: Omit<WorkspaceRow['settings'], 'id' | 'created_at' | 'updated_at'>;
  now: Date;
}

export function newWorkspaceRow({ id, name, slug, userId, settings, now }: NewWorkspace) {
  return {
    _id: id,
    name,
    slug,
    creator_id: userId,
    created_at: now,
    settings: { ...settings, id: newId(), created_at: now, updated_at: now },
    members_revision: 1,
  } satisfies WorkspaceRow;
}

/** Puts a workspace where it is found, with its creator as first admin; a sandbox with its clock. */
export async function addWorkspace(
  deps: Deps,
  { row, endsAt }: { row: WorkspaceRow; endsAt: Date },
  session: Session,
): Promise<void> {
  const { outbox, workspaces, members, sandboxClocks, users } = deps;
  const { _id: workspaceId, creator_id: userId, created_at: now, cloned_from: source } = row;
  await workspaces.insert(row, session);
  if (row.sandbox) {
    // One after the other: of several at once each would find the room that is left for one.
    await users.lockCredentials(userId, session);
    await requireRoomForSandbox(deps, userId, session);
    await sandboxClocks.insert({ workspaceId, creatorId: userId, endsAt }, session);
  }
  await members.insert(workspaceId, { userId, role: 'admin', now }, session);
  const change = source
    ? { action: 'workspaces.clone', entityId: source }
    : { action: 'workspaces.create', entityId: workspaceId };
  await noteChange(deps, { workspaceId, entity: 'workspace', ...change, now }, session);
  const data = { ...workspaceChanged(row), creator_id: userId };
  await outbox.append(
    [createEvent('identity.workspace_created', { workspaceId, subject: workspaceId, data })],
    session,
  );
}

export async function requireRoomForSandbox(
  { sandboxClocks, config }: Pick<Deps, 'config' | 'sandboxClocks'>,
  userId: string,
  session?: Session,
): Promise<void> {
  const { own, all } = await sandboxClocks.countOf(userId, session);
  if (own >= SANDBOXES_OF_ONE_MAX || all >= config.sandboxesMax) throw refusals.tooManySandboxes();
}

async function freeSlug({ workspaces }: Pick<Deps, 'workspaces'>, name: string): Promise<string> {
  const slug = slugFrom(name);
  return (await workspaces.isSlugTaken(slug)) ? chanceSlug(name) : slug;
}

/** Four bytes of chance: two workspaces of one name do not meet again. */
function chanceSlug(name: string): string {
  return slugWithSuffix(slugFrom(name), randomBytes(4).toString('hex'));
}
