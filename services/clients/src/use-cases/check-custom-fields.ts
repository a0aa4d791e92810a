import type { JsonObject } from '@laurel/errors';
import type { clients as api, common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { requireValidCustomFields } from './require-valid-custom-fields';

/** For services that are going to write custom fields later: refuses now what would be refused then. */
export async function checkCustomFields(
  deps: Pick<Deps, 'fields'>,
  { workspace_id: workspaceId, custom_fields }: api.CheckCustomFieldsRequest,
): Promise<common.Empty> {
  await requireValidCustomFields(deps, workspaceId, custom_fields as JsonObject | undefined);
  return {};
}
