import type { Session } from '@laurel/mongo';
import type { Deps } from '../deps';

/**
 * Whether somebody's line of referrers, themselves included, leads to one of `ends`. Everybody on the
 * way is touched, so that no other unit of work can lengthen the line before this one commits.
 */
export async function leadsTo(
  { people, referrals }: Pick<Deps, 'people' | 'referrals'>,
  {
    workspaceId,
    from,
    ends,
  }: { workspaceId: string; from: string | null; ends: readonly string[] },
  session: Session,
): Promise<boolean> {
  const seen = new Set<string>();
  for (let current = from; current !== null && !seen.has(current); ) {
    if (ends.includes(current)) return true;
    seen.add(current);
    await people.touch(workspaceId, { id: current }, session);
    current = await referrals.referrerOf(workspaceId, current, session);
  }
  return false;
}
