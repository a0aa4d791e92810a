import { Refusal } from '@laurel/errors';
import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { provesIdentity } from '../domain/identity-proof';
import { refusals } from '../refusals';
import { anonymizeClient } from './anonymize-client';

/**
 * Anonymizes a client at their own wish. The proof is held against the record in the transaction that
 * erases it; which part of it was wrong stays unsaid.
 */
export async function eraseClient(
  deps: Deps,
  { workspace_id, id, ...proof }: api.EraseClientRequest,
): Promise<Record<string, never>> {
  try {
    await anonymizeClient(deps, { workspace_id, id }, (client) => {
      if (!provesIdentity(client, proof)) throw refusals.verificationFailed();
    });
    return {};
  } catch (error) {
    if (error instanceof Refusal && error.httpStatus === 404)
      throw refusals.clientNotFound({ message: 'Client not found' });
    throw error;
  }
}
