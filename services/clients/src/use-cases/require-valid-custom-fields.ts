import { invalidField, invalidPayload, type JsonObject } from '@laurel/errors';
import type { Deps } from '../deps';
import { checkCustomFields, isFieldName } from '../domain/data-model';

/** Refuses custom fields that break the workspace's data model, all problems at once. */
export async function requireValidCustomFields(
  { fields }: Pick<Deps, 'fields'>,
  workspaceId: string,
  customFields: JsonObject | undefined,
): Promise<void> {
  const names = Object.keys(customFields ?? {});
  if (!customFields || names.length === 0) return;
  if (names.some((name) => !isFieldName(name))) {
    throw invalidField(
      'custom_fields',
      'names of custom fields have 1 to 255 characters, and are none of those that the platform forbids',
    );
  }
  const problems = checkCustomFields(await fields.list(workspaceId), customFields);
  if (problems.length > 0) throw invalidPayload(problems);
}
