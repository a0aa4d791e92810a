import { newId } from '@laurel/lifecycle';
import type { passes as api } from '@laurel/rpc';
import { refusals } from '../../refusals';
import type { CoreDeps } from '../deps';
import { FIELD_LISTS, type PassField, type TemplateChanges } from '../domain/template';

/** The fields of a request that are there, with an id for every line that came without one. */
export function templateFieldsOf(fields: api.TemplateFields): TemplateChanges {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  const changes = Object.fromEntries(present) as TemplateChanges;
  for (const list of FIELD_LISTS) {
    const lines = changes[list];
    if (lines) changes[list] = lines.map(withId);
  }
  return changes;
}

function withId({ id, label, value }: Omit<PassField, 'id'> & { id?: string }): PassField {
  return { id: id ?? newId(), label, value };
}

/** Refuses ids that name nothing in the workspace. */
export async function requireKnownReferences(
  { tiers }: Pick<CoreDeps, 'tiers'>,
  workspaceId: string,
  { tier_id: tierId }: TemplateChanges,
): Promise<void> {
  if (!tierId) return;
  const found = await tiers.GetTiers({ workspace_id: workspaceId, ids: [tierId] });
  if (found.tiers.length === 0) throw refusals.noSuchTier({ field: 'tier_id' });
}
