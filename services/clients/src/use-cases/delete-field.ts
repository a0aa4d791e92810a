import { commitOnce } from '@laurel/mongo';
import type { common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { refuseSystemField } from './update-field';

/** Forgets the definition of a custom field; values that clients have stay, free-form. */
export async function deleteField(
  { connection, fields }: Pick<Deps, 'connection' | 'fields'>,
  request: common.Id,
): Promise<common.Empty> {
  refuseSystemField(request);
  return commitOnce(connection, async (session) => {
    const removed = await fields.remove(request.workspace_id, request.id, session);
    if (!removed) throw refusals.fieldNotFound();
    return {};
  });
}
