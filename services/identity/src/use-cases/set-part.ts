import { authKeys } from '@laurel/auth-cache';
import { createEvent } from '@laurel/events';
import { requireUnchanged, unitOfWork } from '@laurel/mongo';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import {
  type PartChange,
  versionOfPart,
  type WorkspacePart,
  type WorkspaceRow,
} from '../store/workspaces';

/**
 * Sets what is named of how a workspace shows itself and leaves the rest, so that two at once do not mix halves. Who keeps
 * what the portal is asks again, and cards hear of it.
 *
 * @param decide what is to be set, of the workspace as it is; what it leaves undefined stays
 */
export function setPart<Part extends Exclude<WorkspacePart, 'settings'>>(
  { connection, outbox, workspaces, cache, clock }: Deps,
  { workspaceId, part }: { workspaceId: string; part: Part },
  decide: (row: WorkspaceRow, now: Date) => Omit<PartChange<Part>, 'part' | 'now'>,
): Promise<WorkspaceRow> {
  return cache.revoke([authKeys.portal(workspaceId)], () =>
    unitOfWork(connection, async (session) => {
      const read = await workspaces.find(workspaceId, session);
      if (!read) throw refusals.notAMember();
      requireUnchanged(versionOfPart(read, part));
      const now = clock.now();
      const { changes, ...more } = decide(read, now);
      if (Object.keys(changes).length === 0) return read;
      const row = await workspaces.setPart(read, { part, changes, now, ...more }, session);
      const data = { workspace_id: workspaceId, changed: [part] };
      const about = { workspaceId, subject: workspaceId };
      await outbox.append([createEvent('identity.settings_updated', { ...about, data })], session);
      return row;
    }),
  );
}
