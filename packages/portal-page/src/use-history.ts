import type { PortalApi } from './api.ts';
import type { Redemption, RedemptionPage } from './shapes.ts';
import { type Loaded, useLoaded } from './use-loaded.ts';
import { useState } from './vendor/preact.js';

/** What was redeemed, as far as it was asked for. */
export interface History extends Loaded<RedemptionPage> {
  hasMore: boolean;
  /** Whether more than the newest were asked for. */
  isPaged: boolean;
  loadMore(): Promise<void>;
}

export function useHistory(api: PortalApi, isWanted: boolean): History {
  const first = useLoaded(() => api.redemptions(0), isWanted);
  const [further, setFurther] = useState<Redemption[]>([]);
  const rows = joined(first.value?.data ?? [], further);
  const value = first.value && { ...first.value, data: rows };
  return {
    ...first,
    value,
    reload: async () => {
      setFurther([]);
      await first.reload();
    },
    isPaged: further.length > 0,
    hasMore: value !== null && rows.length < value.meta.total,
    loadMore: async () => {
      const page = await api.redemptions(rows.length);
      setFurther((before) => [...before, ...page.data]);
    },
  };
}

/** A row made meanwhile pushes the last of a page onto the next: no row is shown twice. */
function joined<Row extends { id: string }>(first: readonly Row[], further: readonly Row[]): Row[] {
  return [...new Map([...first, ...further].map((row) => [row.id, row])).values()];
}
