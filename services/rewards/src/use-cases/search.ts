import { idIn, namedLike } from '@laurel/mongo';
import type { common } from '@laurel/rpc';
import type { Deps } from '../deps';

const REWARDS_MAX = 2_000;

/** Rewards by id or part of their name, coupons by id or code. */
export async function search(
  deps: Pick<Deps, 'coupons' | 'rewards'>,
  request: common.SearchRequest,
): Promise<common.HitList> {
  const { types } = request;
  const hits = await Promise.all([
    types.includes('reward') ? findRewards(deps, request) : [],
    types.includes('coupon') ? findCoupon(deps, request) : [],
  ]);
  return { hits: hits.flat() };
}

async function findRewards(
  { rewards }: Pick<Deps, 'rewards'>,
  { workspace_id: workspaceId, q, limit }: common.SearchRequest,
): Promise<common.Hit[]> {
  const id = idIn(q);
  const byId = id === null ? null : await rewards.find(workspaceId, id);
  const all = byId
    ? []
    : (await rewards.list(workspaceId, {}, { limit: REWARDS_MAX, offset: 0 })).rewards;
  const found = byId ? [byId] : namedLike(all, q, limit);
  const matched = byId ? 'id' : 'name';
  return found.map(({ id, name }) => ({
    type: 'reward',
    id,
    title: name,
    subtitle: null,
    matched,
  }));
}

async function findCoupon(
  { coupons }: Pick<Deps, 'coupons'>,
  { workspace_id: workspaceId, q }: common.SearchRequest,
): Promise<common.Hit[]> {
  const id = idIn(q);
  const byId = id === null ? null : await coupons.find(workspaceId, id);
  const found = byId ?? (await coupons.findByCode(workspaceId, q.trim()));
  if (!found) return [];
  const { code, status } = found;
  const matched = byId ? 'id' : 'code';
  return [{ type: 'coupon', id: found.id, title: code, subtitle: status, matched }];
}
