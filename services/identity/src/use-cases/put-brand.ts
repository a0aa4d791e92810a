import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { BrandSettings } from '../domain/brand';
import { refusals } from '../refusals';
import { setPart } from './set-part';
import { toBrandReply } from './wire';

export async function getBrand(
  { workspaces }: Deps,
  { workspace_id }: identity.WorkspaceRequest,
): Promise<identity.Brand> {
  const row = await workspaces.find(workspace_id);
  if (!row) throw refusals.notAMember();
  return toBrandReply(row);
}

/**
 * Sets what is named of how a shop looks and leaves the rest; null takes it back. Portal, forms, mails and till have it
 * with the next request, cards with their next update; what any of them says itself stays.
 */
export async function putBrand(
  deps: Deps,
  { workspace_id, ...named }: identity.PutBrandRequest,
): Promise<identity.Brand> {
  const changes = Object.fromEntries(
    Object.entries(named).filter(([, value]) => value !== undefined),
  ) as Partial<BrandSettings>;
  const brand = { workspaceId: workspace_id, part: 'brand' } as const;
  return toBrandReply(await setPart(deps, brand, () => ({ changes })));
}
