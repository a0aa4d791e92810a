import type { EventOf } from '@laurel/events';
import type { Session } from '@laurel/mongo';
import type { Deps } from '../deps';
import { passChanges } from './insert-trail';

/** Keeps whose pass it is, for the trail and for the profiles of those who have it and had it before. */
export async function followPass(
  deps: Pick<Deps, 'passes' | 'profiles'>,
  event: EventOf<'passes.pass_created' | 'passes.pass_updated' | 'passes.pass_deleted'>,
  session: Session,
): Promise<void> {
  const { pass_id, client_id, pass_template_id, pass_revision: revision = null } = event.data;
  const workspaceId = event.workspaceid;
  const pass = { passId: pass_id, workspaceId, clientId: client_id, templateId: pass_template_id };
  const asOf = { revision, at: new Date(event.time) };
  const holders =
    event.type === 'passes.pass_deleted'
      ? await deps.passes.remove(pass, asOf, session)
      : await deps.passes.put(pass, asOf, session);
  const changes = await passChanges(deps, { workspaceId, session }, [...new Set(holders)]);
  await deps.profiles.revise(workspaceId, changes, session);
}
