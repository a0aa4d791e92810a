import type { FieldType } from '@laurel/contract';
import { invalidField } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import { commitOnce, isDuplicateKey } from '@laurel/mongo';
import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import {
  complaintAboutOptions,
  type FieldDefinition,
  isFieldName,
  labelFromName,
  SYSTEM_FIELD_NAMES,
} from '../domain/data-model';
import { refusals } from '../refusals';
import { toFieldReply } from './wire';

/** All of them are read at every write of custom fields. */
const FIELDS_MAX = 500;

/** Defines a custom field. From then on values of that name are checked when they are written. */
export async function createField(
  { connection, fields }: Pick<Deps, 'connection' | 'fields'>,
  request: api.CreateFieldRequest,
): Promise<api.Field> {
  const { workspace_id: workspaceId, field_name: name } = request;
  const type = request.field_type as FieldType;
  const options = request.options ?? [];
  const complaint = complaintAboutOptions(type, options);
  if (complaint) throw invalidField('options', complaint);
  if (!isFieldName(name)) throw invalidField('field_name', `no field can be called ${name}`);
  if (SYSTEM_FIELD_NAMES.includes(name)) throw refusals.fieldNameTaken({ field: 'field_name' });
  try {
    return await commitOnce(connection, async (session) => {
      const defined = await fields.list(workspaceId, session);
      if (defined.length >= FIELDS_MAX) throw refusals.tooManyFields();
      const last = defined.at(-1);
      const field: FieldDefinition = {
        id: newId(),
        workspace_id: workspaceId,
        field_name: name,
        field_label: request.field_label ?? labelFromName(name),
        field_type: type,
        is_required: request.is_required ?? false,
        is_system: false,
        sort_order: request.sort_order ?? (last ? last.sort_order + 1 : SYSTEM_FIELD_NAMES.length),
        options,
      };
      await fields.insert(field, session);
      return toFieldReply(field);
    });
  } catch (error) {
    if (isDuplicateKey(error)) throw refusals.fieldNameTaken({ field: 'field_name' });
    throw error;
  }
}
