import { createHash, randomBytes } from 'node:crypto';
import { etagOf, requireUnchanged, unitOfWork } from '@laurel/mongo';
import type { passes as api } from '@laurel/rpc';
import type { EnrollmentDeps } from '../../deps';
import { changedDistribution } from '../../domain/distribution/distribution';
import { refusals } from '../../refusals';
import { authorship } from '../pass/author';

const TOKEN_BYTES = 32;
/** Tells tokens apart for those who manage them; says nothing that helps to guess the rest. */
const PREFIX_LENGTH = 8;

/**
 * Makes the token of an embedded form, 256 random bits, and ends the one before it with the same write. Only its digest
 * is kept: this answer is the one place where the token stands.
 */
export async function rotateToken(
  deps: Pick<EnrollmentDeps, 'connection' | 'distributions' | 'clock'>,
  { workspace_id: workspaceId, id }: { workspace_id: string; id: string },
): Promise<api.DistributionToken> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const prefix = token.slice(0, PREFIX_LENGTH);
  const author = authorship(deps);
  return unitOfWork(deps.connection, async (session) => {
    const distribution = await deps.distributions.find(workspaceId, id, session);
    if (!distribution) throw refusals.distributionNotFound();
    requireUnchanged({ ...distribution, changedAt: distribution.date_updated });
    const token_sha256 = createHash('sha256').update(token).digest('hex');
    const changed = changedDistribution(distribution, {}, author);
    const next = { ...changed, token_sha256, token_prefix: prefix };
    await deps.distributions.replace(next, session);
    const etag = etagOf({ id, revision: changed.revision + 1 });
    return { distribution_id: id, token, prefix, etag };
  });
}
