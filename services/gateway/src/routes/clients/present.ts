import type { clients } from '@laurel/rpc';
import { fromMoment, untilMoment } from '../../schema/types';
import type { FilterQuery } from './schema';

interface PageQuery {
  limit: number;
  offset?: number | undefined;
}

/** `meta` of a deep list; `next_cursor` is there while there is a next page. */
export function pageMeta(
  { limit, offset = 0 }: PageQuery,
  { total, next_cursor }: { total: number; next_cursor?: string | null },
): object {
  return { total, limit, offset, ...(next_cursor ? { next_cursor } : {}) };
}

const OWN_FIELD = 'cf_';

/** The filters of a list or export as the service takes them: exact moments, both included; each cf_<field name> narrows further. */
export function toFilter({ from_date, to_date, ...query }: FilterQuery): clients.ClientFilter {
  const { search, status, source, email, segment_id, tier_id = [], has_pass } = query;
  const custom_fields = Object.entries(query)
    .filter(([name]) => name.startsWith(OWN_FIELD))
    .map(([name, values]) => ({
      field_name: name.slice(OWN_FIELD.length),
      values: values as string[],
    }));
  return {
    search,
    status,
    source,
    email,
    from_date: fromMoment(from_date),
    to_date: untilMoment(to_date),
    segment_id,
    tier_ids: tier_id,
    has_pass,
    custom_fields,
  };
}
