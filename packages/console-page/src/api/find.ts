import type { Client, Laurel, SearchHit } from '@laurel/client';
import { SEARCH_TYPES } from '@laurel/contract';

type HitType = Exclude<SearchHit['type'], 'delivery'>;

/** One thing by the name of what was looked for. */
export interface Found {
  type: HitType | 'page';
  id: string;
  title: string;
  subtitle: string;
}

/** A person as lists name them. */
export const nameOf = (
  client: Pick<Client, 'first_name' | 'last_name' | 'email' | 'id'> & { phone?: string | null },
): string =>
  [client.first_name, client.last_name].filter(Boolean).join(' ') ||
  client.email ||
  client.phone ||
  client.id.slice(0, 8);

/** Deliveries are looked at among those of their webhook, which a hit does not name. */
const TYPES = SEARCH_TYPES.filter((type) => type !== 'delivery');
/** So many are shown of what is found. */
export const FOUND_MAX = 12;
/** Where pages of one thing are. */
const PLACES = {
  client: '/customers',
  reward: '/rewards',
  rule: '/rules',
  campaign: '/campaigns',
  segment: '/segments',
  card: '/cards',
  form: '/forms',
} as const;

/** Whatever goes by this name, id, address or code; whole matches first. One more than is shown where there are more. */
export async function findEverywhere(laurel: Laurel, q: string): Promise<Found[]> {
  const hits = await laurel.workspaces.search({ q, types: TYPES, limit: FOUND_MAX + 1 });
  return hits.flatMap(({ type, id, title, subtitle }) =>
    type === 'delivery' ? [] : [{ type, id, title, subtitle: subtitle ?? '' }],
  );
}

/** Where it is looked at: passes, entries and coupons with the customer whose they are. */
export async function placeOf(laurel: Laurel, { type, id, title }: Found): Promise<string> {
  if (type === 'page') return id;
  if (type === 'pass') return customerAt((await laurel.passes.get(id)).client_id);
  if (type === 'entry') return customerAt((await laurel.points.getEntry(id)).client_id);
  if (type === 'coupon') {
    const { client, coupon } = await laurel.coupons.validate({ code: title });
    return client ? customerAt(client.id) : `/rewards/${coupon?.reward_id ?? ''}`;
  }
  return `${PLACES[type]}/${id}`;
}

const customerAt = (id: string | null): string => (id === null ? '/customers' : `/customers/${id}`);
