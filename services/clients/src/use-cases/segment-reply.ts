import type { Json } from '@laurel/errors';
import { withoutMissingKey } from '@laurel/mongo';
import type { clients as api } from '@laurel/rpc';
import type { Segment } from '../domain/segments/filter';

export function toSegmentReply({
  filters,
  date_created: createdAt,
  date_updated: _changedAt,
  revision: _revision,
  ...segment
}: Segment): api.Segment {
  return {
    ...withoutMissingKey(segment),
    filters: filters.map(({ filter_config: config, ...filter }) => ({
      ...filter,
      filter_config: config as unknown as Json,
    })),
    date_created: createdAt.toISOString(),
  };
}
