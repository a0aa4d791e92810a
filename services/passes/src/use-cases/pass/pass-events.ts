import { createEvent } from '@laurel/events';
import type { Pass } from '../../domain/pass/pass';

type PassEventType = 'passes.pass_created' | 'passes.pass_updated' | 'passes.pass_deleted';

/** Tells of a pass, as it was written, what other services keep of it, and what is news about it. */
export function passEvent(
  type: PassEventType,
  pass: Pass,
  news: { previous_template_id?: string; source?: string } = {},
) {
  const { id, workspace_id: workspaceId, client_id, pass_template_id, project_id } = pass;
  const kept = { pass_id: id, client_id, pass_template_id, project_id };
  const data = { ...kept, pass_revision: pass.revision, ...news };
  return createEvent(type, { workspaceId, subject: id, data });
}
