import { createEvent } from '@laurel/events';
import type { Pass } from '../domain/pass';

/** Tells of a pass what other services keep of it. */
export function passEvent(
  type: 'passes.pass_created' | 'passes.pass_updated' | 'passes.pass_deleted',
  pass: Pass,
) {
  const { id, workspace_id: workspaceId, client_id, pass_template_id, project_id } = pass;
  const data = { pass_id: id, client_id, pass_template_id, project_id };
  return createEvent(type, { workspaceId, subject: id, data });
}
