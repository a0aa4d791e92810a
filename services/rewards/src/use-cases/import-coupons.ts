import { newId } from '@laurel/lifecycle';
import { commitOnce, repeatable, retryingCollisions } from '@laurel/mongo';
import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { Coupon } from '../domain/coupon';
import { codeKey } from '../domain/pattern';
import { refusals } from '../refusals';
import { requireReward } from './get-reward';

/** Adds codes to the reward's pool; those the workspace has already, in any case, are counted as duplicates. */
export async function importCoupons(
  deps: ImportDeps,
  request: api.ImportCouponsRequest,
): Promise<api.ImportCouponsReply> {
  return repeatable(deps.connection, () => importAll(deps, request));
}

type ImportDeps = Pick<Deps, 'connection' | 'rewards' | 'coupons' | 'clock'>;

async function importAll(
  deps: ImportDeps,
  { workspace_id: workspaceId, reward_id: rewardId, codes }: api.ImportCouponsRequest,
): Promise<api.ImportCouponsReply> {
  await requireReward(deps, workspaceId, rewardId);
  const byKey = new Map<string, string>();
  // Of spellings that differ only in case the first one counts.
  for (const code of codes) if (!byKey.has(codeKey(code))) byKey.set(codeKey(code), code);
  // Of codes that somebody took in between, the next attempt finds duplicates.
  return retryingCollisions(() =>
    commitOnce(deps.connection, async (session) => {
      if (!(await deps.rewards.holdForImport(workspaceId, rewardId, session)))
        throw refusals.rewardNotFound();
      const taken = await deps.coupons.takenKeys(workspaceId, codes, session);
      const fresh = [...byKey].flatMap(([key, code]) => (taken.has(key) ? [] : [code]));
      const now = deps.clock.now();
      await deps.coupons.insertAll(
        fresh.map((code) => importedCoupon({ workspaceId, rewardId }, code, now)),
        session,
      );
      if (fresh.length > 0) await deps.rewards.noteImport(workspaceId, rewardId, session);
      return { imported: fresh.length, duplicates: codes.length - fresh.length };
    }),
  );
}

function importedCoupon(
  { workspaceId, rewardId }: { workspaceId: string; rewardId: string },
  code: string,
  now: Date,
): Coupon {
  return {
    id: newId(),
    workspace_id: workspaceId,
    reward_id: rewardId,
    code,
    status: 'available',
    redemption_id: null,
    released_by: null,
    imported: true,
    used_at: null,
    date_created: now,
  };
}
