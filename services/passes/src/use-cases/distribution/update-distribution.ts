import { commitOnce, etagOf, requireUnchanged } from '@laurel/mongo';
import type { passes as api } from '@laurel/rpc';
import type { EnrollmentDeps } from '../../deps';
import { changedDistribution } from '../../domain/distribution/distribution';
import { refusals } from '../../refusals';
import { authorship } from '../pass/author';
import { keyGiven, underKey } from '../pass/keys';
import { requireTemplateOfProject } from './create-distribution';
import { updatedEvent } from './distribution-events';
import { distributionFieldsOf } from './distribution-fields';
import { toDistributionReply } from './wire';

/** Changes a distribution; two changes at once are applied one after the other. */
export async function updateDistribution(
  deps: EnrollmentDeps,
  request: api.UpdateDistributionRequest,
): Promise<api.Distribution> {
  const { workspace_id: workspaceId, id } = request;
  const changes = distributionFieldsOf(request);
  const author = authorship(deps);
  return commitOnce(deps.connection, async (session) => {
    const distribution = await deps.distributions.find(workspaceId, id, session);
    if (!distribution) throw refusals.distributionNotFound();
    requireUnchanged({ ...distribution, changedAt: distribution.date_updated });
    const key = keyGiven(distribution.key, changes.key);
    const changed = changedDistribution(distribution, { ...changes, key }, author);
    if (changes.project_id !== undefined || changes.pass_template_id !== undefined)
      await requireTemplateOfProject(deps, changed, session);
    await underKey(deps.distributions.replace(changed, session));
    const written = { ...changed, revision: changed.revision + 1 };
    await deps.outbox.append([updatedEvent(deps.publicUrl, written)], session);
    return { ...toDistributionReply(deps.publicUrl, written), etag: etagOf(written) };
  });
}
