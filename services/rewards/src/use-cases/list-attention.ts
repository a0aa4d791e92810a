import type { common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { livesOnImports } from '../domain/reward';

/** With fewer codes left than that somebody should import more. */
const FEW = 10;
const REWARDS_MAX = 500;

/** Active rewards that give out imported codes and will soon have none, or have none, as in a clone. */
export async function listAttention(
  { clock, coupons, rewards }: Pick<Deps, 'clock' | 'coupons' | 'rewards'>,
  { workspace_id: workspaceId }: common.AttentionRequest,
): Promise<common.AttentionList> {
  const page = { limit: REWARDS_MAX, offset: 0 };
  const { rewards: active } = await rewards.list(workspaceId, { active: true }, page);
  // The others make their codes themselves, or give none.
  const importing = active.filter(livesOnImports);
  const stocks = await coupons.stocksOf(
    workspaceId,
    importing.map(({ id }) => id),
  );
  return {
    items: importing.flatMap(({ id, name }) => {
      const left = stocks.get(id)!;
      if (left >= FEW) return [];
      return {
        kind: 'coupons_low',
        severity: left === 0 ? 'error' : 'warning',
        count: left,
        since: clock.now().toISOString(),
        subject_type: 'reward',
        subject_id: id,
        subject_name: name,
      };
    }),
  };
}
