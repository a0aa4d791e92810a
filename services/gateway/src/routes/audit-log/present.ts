import type { identity } from '@laurel/rpc';

/** A change of a customer is that customer's; any other is of whom it was done for, if of anybody. */
export const withWhose = (entry: identity.AuditEntry): identity.AuditEntry =>
  entry.entity === 'client' ? { ...entry, client_id: entry.entity_id ?? null } : entry;

/** @param expand what is shown besides */
export const presentAuditEntry = (
  { actor, entity_id, client_id: _, values, ...entry }: identity.AuditEntry,
  expand: readonly string[],
) => ({
  ...entry,
  actor: { type: actor!.type, id: actor!.id ?? null, email: actor!.email ?? null },
  entity_id: entity_id ?? null,
  ...(expand.includes('values') ? { values } : {}),
});
