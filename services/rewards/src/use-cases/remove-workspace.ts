import type { Deps } from '../deps';

/** Removes everything held of a workspace. */
export async function removeWorkspace(
  { attempts, dailyRedemptions, redemptions, coupons, usages, rewards, merges }: Deps,
  workspaceId: string,
): Promise<void> {
  const stores = [attempts, dailyRedemptions, redemptions, coupons, usages, rewards, merges];
  await Promise.all(stores.map((store) => store.removeWorkspace(workspaceId)));
}
