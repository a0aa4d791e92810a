import type { Client, Laurel } from '@laurel/client';
import { CLIENT_EXPANSIONS } from '@laurel/contract';

/** What a list of customers is narrowed by; all of it composes. */
export interface CustomerFilters {
  search?: string | undefined;
  status?: string | undefined;
  segment?: string | undefined;
  /** The id of a tier, or untiered. */
  tier?: string | undefined;
  /** yes: has a card; no: has none. */
  card?: string | undefined;
}

export const ROWS = 50;

/** A page of customers, each with balances, tier and what they did last. */
export function listCustomers(laurel: Laurel, filters: CustomerFilters, cursor?: string) {
  return laurel.clients.list({
    limit: ROWS,
    sort: '-date_created',
    expand: [...CLIENT_EXPANSIONS],
    ...askedOf(filters),
    ...(cursor ? { cursor } : {}),
  });
}

/** The filters as the API takes them, in a list as in a file. */
export function askedOf({ search, status, segment, tier, card }: CustomerFilters) {
  return {
    ...(search ? { search } : {}),
    ...(status ? { status: status as Client['status'] } : {}),
    ...(segment ? { segment_id: segment } : {}),
    ...(tier ? { tier_id: [tier] } : {}),
    ...(card ? { has_pass: card === 'yes' } : {}),
  };
}
