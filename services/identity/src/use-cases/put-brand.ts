import { authKeys } from '@laurel/auth-cache';
import { createEvent } from '@laurel/events';
import { unitOfWork } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { type BrandSettings, brandOf } from '../domain/brand';
import { refusals } from '../refusals';

export async function getBrand(
  { workspaces }: Deps,
  { workspace_id }: identity.WorkspaceRequest,
): Promise<identity.Brand> {
  const row = await workspaces.find(workspace_id);
  if (!row) throw refusals.notAMember();
  return brandOf(row.brand);
}

/**
 * Sets what is named of how a shop looks and leaves the rest; null takes it back. Portal, forms, mails and till have it
 * with the next request, cards with their next update; what any of them says itself stays.
 */
export async function putBrand(
  { connection, outbox, workspaces, cache }: Deps,
  { workspace_id, ...named }: identity.PutBrandRequest,
): Promise<identity.Brand> {
  const changes = Object.fromEntries(
    Object.entries(named).filter(([, value]) => value !== undefined),
  ) as Partial<BrandSettings>;
  const row = await cache.revoke([authKeys.portal(workspace_id)], () =>
    Object.keys(changes).length === 0
      ? workspaces.find(workspace_id)
      : unitOfWork(connection, async (session) => {
          const changed = await workspaces.updateBrand(workspace_id, changes, session);
          const data = { workspace_id, changed: ['brand'] };
          const about = { workspaceId: workspace_id, subject: workspace_id };
          if (changed)
            await outbox.append(
              [createEvent('identity.settings_updated', { ...about, data })],
              session,
            );
          return changed;
        }),
  );
  if (!row) throw refusals.notAMember();
  return brandOf(row.brand);
}
