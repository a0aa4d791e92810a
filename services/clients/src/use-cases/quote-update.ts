import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { valueText } from '../domain/trail-event';
import { refusals } from '../refusals';
import { fieldsOf } from './client-fields';
import { requireValidCustomFields } from './require-valid-custom-fields';
import { decided } from './update-client';

/**
 * What changing a client would come to as things stand; refused as the change would be. Of an address that somebody else
 * has, the index tells when it is written: here its holder is looked up.
 */
export async function quoteUpdate(
  deps: Pick<Deps, 'clients' | 'fields' | 'clock'>,
  request: api.UpdateClientRequest,
): Promise<api.QuotedUpdate> {
  const { workspace_id: workspaceId, id, change_source: source = 'api' } = request;
  const fields = fieldsOf(request);
  await requireValidCustomFields(deps, workspaceId, fields.custom_fields);
  const authorship = { source, now: deps.clock.now() };
  const { client, changes } = await decided(deps, request, { fields, authorship });
  const isMoving = changes.some(({ field, custom }) => field === 'email' && !custom);
  if (isMoving && client.email !== null) {
    const owner = await deps.clients.findByEmail(workspaceId, client.email);
    if (owner && owner.id !== id) throw refusals.emailTaken({ field: 'email' });
  }
  return {
    changes: changes.map(({ field, before, after }) => ({
      field_name: field,
      old_value: valueText(before),
      new_value: valueText(after),
    })),
  };
}
