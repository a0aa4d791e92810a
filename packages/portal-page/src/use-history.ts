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
  /** Each that is shown may be used by now, so that all of them are asked for again. */
  const shown = useRef<RedemptionPage | null>(null);
  const first = useLoaded(() => newest(api, shown), isWanted);
  const latest = useRef<RedemptionPage | null>(null);
  latest.current = first.value;
  const [further, setFurther] = useState<Further>({ of: null, rows: [] });
  const rows = joined(first.value?.data ?? [], rowsOf(further, first.value));
  const value = first.value && { ...first.value, data: rows };
  shown.current = value;
  return {
    ...first,
    value,
    hasMore: value !== null && rows.length < value.meta.total,
    loadMore: async () => {
      const page = await api.redemptions(rows.length);
      const of = latest.current;
      setFurther((before) => ({ of, rows: joined(rowsOf(before, of), page.data) }));
    },
  };
}

/** What follows the first rows. */
interface Further {
  of: RedemptionPage | null;
  rows: readonly Redemption[];
}

/** Once the first rows came anew they reach as far: what followed the former ones is of then. */
const rowsOf = ({ of, rows }: Further, first: RedemptionPage | null): readonly Redemption[] =>
  of === first ? rows : [];

/** The newest, as far as they are shown: what is new on top moves the last of them on. */
async function newest(
  api: PortalApi,
  shown: { current: RedemptionPage | null },
): Promise<RedemptionPage> {
  const page = await api.redemptions(0);
  const { total } = page.meta;
  // More may be shown by then than when it was asked.
  const count = () => {
    const { data, meta } = shown.current ?? page;
    return Math.max(page.data.length, data.length + Math.max(0, total - meta.total));
  };
  let rows = page.data;
  while (rows.length < Math.min(count(), total)) {
    const { data } = await api.redemptions(rows.length);
    const longer = joined(rows, data);
    if (longer.length === rows.length) break;
    rows = longer;
  }
  return { ...page, data: rows.slice(0, count()) };
}

/** A row made meanwhile pushes the last of a page onto the next: no row is shown twice, but as the first of them says. */
function joined(first: readonly Redemption[], further: readonly Redemption[]): Redemption[] {
  const known = new Set(first.map(({ id }) => id));
  return [...first, ...further.filter(({ id }) => !known.has(id))];
}
