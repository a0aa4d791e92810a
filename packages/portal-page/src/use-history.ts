import type { PortalApi } from './api.ts';
import type { Redemption, RedemptionPage } from './shapes.ts';
import { type Loaded, useLoaded } from './use-loaded.ts';
import { useRef, useState } from './vendor/preact.js';

/** What was redeemed, as far as it was asked for. */
export interface History extends Loaded<RedemptionPage> {
  hasMore: boolean;
  loadMore(): Promise<void>;
}

export function useHistory(api: PortalApi, isWanted: boolean): History {
  /** So many are shown: each of them may be used by now, so that as many are asked for again. */
  const count = useRef(0);
  const first = useLoaded(() => newest(api, count.current), isWanted);
  const [further, setFurther] = useState<readonly Redemption[]>([]);
  const rows = joined(first.value?.data ?? [], further);
  count.current = rows.length;
  const value = first.value && { ...first.value, data: rows };
  return {
    ...first,
    value,
    hasMore: value !== null && rows.length < value.meta.total,
    loadMore: async () => {
      const page = await api.redemptions(rows.length);
      setFurther((before) => joined(before, page.data));
    },
  };
}

/** The newest so many, which are some pages. */
async function newest(api: PortalApi, count: number): Promise<RedemptionPage> {
  const page = await api.redemptions(0);
  let rows = page.data;
  while (rows.length < Math.min(count, page.meta.total)) {
    const { data } = await api.redemptions(rows.length);
    const longer = joined(rows, data);
    if (longer.length === rows.length) break;
    rows = longer;
  }
  return { ...page, data: rows };
}

/** A row made meanwhile pushes the last of a page onto the next: no row is shown twice, but as the first of them says. */
function joined(first: readonly Redemption[], further: readonly Redemption[]): Redemption[] {
  const known = new Set(first.map(({ id }) => id));
  return [...first, ...further.filter(({ id }) => !known.has(id))];
}
