import type { Deps } from '../deps';

/** Removes everything held of a workspace. */
export async function removeWorkspace(
  { codes, distributions, people, programs, referrals }: Deps,
  workspaceId: string,
): Promise<void> {
  const stores = [programs, codes, referrals, people, distributions];
  await Promise.all(stores.map((store) => store.removeWorkspace(workspaceId)));
}
