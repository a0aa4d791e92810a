import { stableId } from '@laurel/lifecycle';
import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { type FieldDefinition, systemFields } from '../domain/data-model';
import { toFieldReply } from './wire';

/** What a workspace knows clients by: system fields first, then its own in their order. */
export async function listFields(
  { fields }: Pick<Deps, 'fields'>,
  { workspace_id: workspaceId }: api.WorkspaceRequest,
): Promise<api.FieldList> {
  const own = await fields.list(workspaceId);
  return { fields: [...systemFieldsOf(workspaceId), ...own].map(toFieldReply) };
}

export function systemFieldsOf(workspaceId: string): FieldDefinition[] {
  return systemFields(workspaceId, (name) => stableId(`${workspaceId} ${name}`));
}
