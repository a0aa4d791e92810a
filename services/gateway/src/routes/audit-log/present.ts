import type { identity } from '@laurel/rpc';

export const presentAuditEntry = ({ actor, entity_id, ...entry }: identity.AuditEntry) => ({
  ...entry,
  actor: { type: actor!.type, id: actor!.id ?? null, email: actor!.email ?? null },
  entity_id: entity_id ?? null,
});
