import type { passes as api } from '@laurel/rpc';
import { type Answer, data } from '../../routing';

export interface PassPageQuery {
  limit: number;
  offset?: number;
}

/** A page of passes; `meta.next_cursor` leads to the next one. */
export function presentPassPage(
  { limit, offset = 0 }: PassPageQuery,
  { passes, total, next_cursor }: api.PassPage,
): Answer {
  return data(passes, { total, limit, offset, next_cursor });
}

/** Tier is null where there is none. */
export function presentRenderData({ tier = undefined, ...rest }: api.LoyaltyRenderData) {
  return { ...rest, tier: tier ?? null };
}
