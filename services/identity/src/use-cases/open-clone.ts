import type { Deps } from '../deps';
import { SANDBOX_MS } from '../domain/sandbox';
import type { ClaimedClone } from '../store/workspace-clones';
import type { WorkspaceRow } from '../store/workspaces';
import { commitMembership } from './commit-membership';
import { addWorkspace, newWorkspaceRow, underFreeSlug } from './create-workspace';
import { endClone } from './end-clone';

/**
 * Lets its owner into a clone of which all is there: from one moment to the next there is a whole workspace. Gives it up
 * where the source is gone, or who asked for it is no admin there any more.
 */
export async function openClone(
  deps: Deps,
  clone: ClaimedClone,
  translated: <T>(value: T) => T,
): Promise<void> {
  const problem = await underFreeSlug(deps, clone.name, (slug) =>
    commitMembership(deps, clone.user_id, async (session) => {
      const { clock, members, workspaceClones, workspaces } = deps;
      const source = await workspaces.find(clone.workspace_id, session);
      const owner = await members.find(clone.workspace_id, clone.user_id, session);
      const refused = whyNot(source, owner);
      if (!source || refused) return { result: refused, hasJoined: false };
      const now = clock.now();
      // Somebody else is at it, or has ended it.
      if (!(await workspaceClones.end(clone, { problem: null, now }, session)))
        return { result: null, hasJoined: false };
      const endsAt = new Date(now.getTime() + SANDBOX_MS);
      await addWorkspace(
        deps,
        { row: rowOf(clone, source, { slug, now, translated }), endsAt },
        session,
      );
      return { result: null, hasJoined: true };
    }),
  );
  if (problem) await endClone(deps, clone, problem);
}

function whyNot(
  source: WorkspaceRow | null,
  owner: { role: string; status: string } | null,
): string | null {
  if (!source) return 'its source was deleted';
  if (owner?.role === 'admin' && owner.status === 'active') return null;
  return 'who asked for it is no admin of its source any more';
}

/** What a workspace says of itself goes along; its name and address are its own. */
function rowOf(
  clone: ClaimedClone,
  { settings, brand, portal }: WorkspaceRow,
  how: { slug: string; now: Date; translated: <T>(value: T) => T },
): WorkspaceRow {
  const { slug, now, translated } = how;
  const { id: _id, created_at: _created, updated_at: _updated, ...own } = translated(settings);
  const made = newWorkspaceRow({
    id: clone._id,
    name: clone.name,
    slug,
    userId: clone.user_id,
    settings: own,
    now,
  });
  return {
    ...made,
    ...(brand ? { brand: translated(brand) } : {}),
    ...(portal ? { portal: translated(portal) } : {}),
    ...(clone.sandbox ? { sandbox: true as const } : {}),
    cloned_from: clone.workspace_id,
  };
}
