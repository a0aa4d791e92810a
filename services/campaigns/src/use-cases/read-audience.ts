import { Refusal } from '@laurel/errors';
import type { clients as clientsApi } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { Campaign } from '../domain/campaign';
import { IDS_PER_CALL } from './batches';
import { clientsListed, isActive } from './manual-clients';

type Audience = Pick<Campaign, 'id' | 'workspace_id' | 'segment_id'>;
type ReadDeps = Pick<Deps, 'campaigns' | 'clients'>;

export interface AudiencePage {
  /** Active ones only: campaign audiences require it (part 1, Client status). */
  clients: clientsApi.Client[];
  /** Where to go on; null at the end. */
  cursor: string | null;
  /** Whether the segment that said who they are has been deleted. */
  isGone: boolean;
  /** Of the first page of a segment: whether clients are being merged, who may be in it only once that is done. */
  isMerging: boolean;
}

/**
 * The clients that a campaign is for as things stand now, page by page. A segment that is gone is empty.
 */
export async function readAudience(
  deps: ReadDeps,
  campaign: Audience,
  cursor: string | null,
): Promise<AudiencePage> {
  const page =
    campaign.segment_id === null
      ? await manualPage(deps, campaign, cursor)
      : await segmentPage(deps, campaign, cursor);
  return { ...page, clients: page.clients.filter(isActive) };
}

async function manualPage(
  deps: ReadDeps,
  { workspace_id: workspaceId, id }: Audience,
  cursor: string | null,
): Promise<AudiencePage> {
  const from = Number(cursor ?? 0);
  const next = from + IDS_PER_CALL;
  // One more says whether there is another page.
  const ahead = await deps.campaigns.listed(workspaceId, id, { from, count: IDS_PER_CALL + 1 });
  const listed = ahead.slice(0, IDS_PER_CALL);
  const clients: clientsApi.Client[] = [];
  for await (const batch of clientsListed(deps, workspaceId, listed)) clients.push(...batch);
  const isLast = ahead.length === listed.length;
  return { clients, cursor: isLast ? null : String(next), isGone: false, isMerging: false };
}

async function segmentPage(
  { clients }: ReadDeps,
  { workspace_id, segment_id }: Audience,
  cursor: string | null,
): Promise<AudiencePage> {
  const asked = clients.ListSegmentClients({
    workspace_id,
    id: segment_id!,
    status: 'active',
    limit: IDS_PER_CALL,
    ...(cursor === null ? {} : { cursor }),
  });
  const page = await unlessGone(asked, null);
  return {
    clients: page?.clients ?? [],
    cursor: page?.next_cursor ?? null,
    isGone: page === null,
    isMerging: page?.merging ?? false,
  };
}

/** What is asked of a segment, or what is true of one that is gone. */
export async function unlessGone<T, Nobody>(
  asked: Promise<T>,
  ofNobody: Nobody,
): Promise<T | Nobody> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Refusal && error.httpStatus === 404) return ofNobody;
    throw error;
  }
}
