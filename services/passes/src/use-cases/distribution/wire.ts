import { withoutMissingKey } from '@laurel/mongo';
import type { passes as api } from '@laurel/rpc';
import type { Distribution } from '../../domain/distribution/distribution';

/** Where a distribution's page is; null where it has none. */
export function publicUrlOf(
  publicUrl: string,
  { id, page_enabled }: Pick<Distribution, 'id' | 'page_enabled'>,
): string | null {
  return page_enabled ? `${publicUrl}/d/${id}` : null;
}

export function toDistributionReply(
  publicUrl: string,
  distribution: Distribution,
): api.Distribution {
  const { revision: _revision, token_sha256: _digest, token_prefix, ...columns } = distribution;
  return {
    ...withoutMissingKey(columns),
    public_url: publicUrlOf(publicUrl, distribution),
    api_token_prefix: token_prefix,
    starts_at: columns.starts_at?.toISOString() ?? null,
    ends_at: columns.ends_at?.toISOString() ?? null,
    date_created: columns.date_created.toISOString(),
    date_updated: columns.date_updated.toISOString(),
  };
}
