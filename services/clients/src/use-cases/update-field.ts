import type { FieldType } from '@laurel/contract';
import { invalidField } from '@laurel/errors';
import { commitOnce } from '@laurel/mongo';
import type { clients as api, common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { complaintAboutOptions, type FieldDefinition } from '../domain/data-model';
import { refusals } from '../refusals';
import { systemFieldsOf } from './list-fields';
import { toFieldReply } from './wire';

/** Changes a custom field; its name is fixed. Values stored before stay as they are. */
export async function updateField(
  { connection, fields }: Pick<Deps, 'connection' | 'fields'>,
  request: api.UpdateFieldRequest,
): Promise<api.Field> {
  refuseSystemField(request);
  return commitOnce(connection, async (session) => {
    const current = await fields.find(request.workspace_id, request.id, session);
    if (!current) throw refusals.fieldNotFound();
    const field = changed(current, request);
    await fields.replace(field, session);
    return toFieldReply(field);
  });
}

/** System fields are known by their ids, which are the same for ever. */
export function refuseSystemField({ workspace_id: workspaceId, id }: common.Id): void {
  if (systemFieldsOf(workspaceId).some((field) => field.id === id)) throw refusals.systemField();
}

function changed(current: FieldDefinition, request: api.UpdateFieldRequest): FieldDefinition {
  if (request.field_name !== undefined && request.field_name !== current.field_name) {
    throw invalidField('field_name', 'field_name is fixed after creation');
  }
  const type = (request.field_type ?? current.field_type) as FieldType;
  const options = request.options ?? (type === 'select' ? current.options : []);
  const complaint = complaintAboutOptions(type, options);
  if (complaint) throw invalidField('options', complaint);
  return {
    ...current,
    field_label: request.field_label ?? current.field_label,
    field_type: type,
    is_required: request.is_required ?? current.is_required,
    sort_order: request.sort_order ?? current.sort_order,
    options,
  };
}
