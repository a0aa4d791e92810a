import { invalidPayload, type JsonObject } from '@laurel/errors';
import type { Deps } from '../deps';
import { checkCustomFields } from '../domain/data-model';

/** Refuses custom fields that break the workspace's data model, all problems at once. */
export async function requireValidCustomFields(
  { fields }: Pick<Deps, 'fields'>,
  workspaceId: string,
  customFields: JsonObject | undefined,
): Promise<void> {
  if (!customFields || Object.keys(customFields).length === 0) return;
  const problems = checkCustomFields(await fields.list(workspaceId), customFields);
  if (problems.length > 0) throw invalidPayload(problems);
}
