import { copyNameOf } from '@laurel/contract';
import { newId } from '@laurel/lifecycle';
import { commitOnce } from '@laurel/mongo';
import type { passes as api, common } from '@laurel/rpc';
import type { EnrollmentDeps } from '../../deps';
import { firstRevisionBy } from '../../domain/author';
import type { Distribution } from '../../domain/distribution/distribution';
import { refusals } from '../../refusals';
import { authorship } from '../pass/author';
import { requireTemplateOfProject } from './create-distribution';
import { updatedEvent } from './distribution-events';
import { toDistributionReply } from './wire';

type Deps = Pick<
  EnrollmentDeps,
  'connection' | 'projects' | 'templates' | 'distributions' | 'outbox' | 'clock' | 'publicUrl'
>;

/** A copy of a distribution, paused: the same questions, a page and a token of its own, and nothing sent yet. */
export async function duplicateDistribution(
  deps: Deps,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<api.Distribution> {
  const author = authorship(deps);
  return commitOnce(deps.connection, async (session) => {
    const all = await deps.distributions.list(workspaceId, {}, session);
    const original = all.find((distribution) => distribution.id === id);
    if (!original) throw refusals.distributionNotFound();
    await requireTemplateOfProject(deps, original, session);
    const names = all.map(({ name }) => name);
    const copy: Distribution = {
      ...original,
      id: newId(),
      key: null,
      name: copyNameOf(original.name, names),
      status: 'paused',
      token_sha256: null,
      token_prefix: null,
      ...firstRevisionBy(author),
    };
    await deps.distributions.insert(copy, session);
    await deps.outbox.append([updatedEvent(deps.publicUrl, copy)], session);
    return toDistributionReply(deps.publicUrl, copy);
  });
}
