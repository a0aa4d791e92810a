import { invalidPayload, type JsonObject } from '@laurel/errors';
import type { clients as api, common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { SYSTEM_FIELD_NAMES } from '../domain/data-model';
import { requireValidCustomFields } from './require-valid-custom-fields';

/**
 * For services that are going to write custom fields later: refuses now what would be refused then, and names of the
 * client's own columns, which would become custom fields beside them.
 */
export async function checkCustomFields(
  deps: Pick<Deps, 'fields'>,
  { workspace_id: workspaceId, custom_fields }: api.CheckCustomFieldsRequest,
): Promise<common.Empty> {
  const fields = (custom_fields ?? {}) as JsonObject;
  const columns = Object.keys(fields).filter((name) => SYSTEM_FIELD_NAMES.includes(name));
  if (columns.length > 0)
    throw invalidPayload(
      columns.map((name) => ({
        field: `custom_fields.${name}`,
        message: `custom_fields.${name} is a field that every client has, not a custom one`,
      })),
    );
  await requireValidCustomFields(deps, workspaceId, fields);
  return {};
}
