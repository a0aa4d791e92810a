import type { Json } from '@laurel/errors';
import type { campaigns as api, clients as clientsApi } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { StoredCampaign } from '../store/mapping';
import { findCampaign } from './change-campaign';
import { audienceSize } from './count-audience';
import { readAudience } from './read-audience';

/** The first clients that the campaign would be for now, and how many there are. */
export async function previewAudience(
  deps: Pick<Deps, 'campaigns' | 'clients'>,
  { workspace_id: workspaceId, id, limit }: api.PreviewAudienceRequest,
): Promise<api.AudiencePreview> {
  const campaign = await findCampaign(deps, workspaceId, id);
  const [clients, total] = await Promise.all([
    firstOf(deps, campaign, limit),
    audienceSize(deps, campaign),
  ]);
  return { clients: clients as unknown as Json, total };
}

async function firstOf(
  deps: Pick<Deps, 'campaigns' | 'clients'>,
  campaign: StoredCampaign,
  limit: number,
): Promise<clientsApi.Client[]> {
  const found: clientsApi.Client[] = [];
  let cursor: string | null = null;
  do {
    const page = await readAudience(deps, campaign, cursor);
    found.push(...page.clients);
    cursor = page.cursor;
  } while (cursor !== null && found.length < limit);
  return found.slice(0, limit);
}
