import { Refusal } from '@laurel/errors';
import type { IntegrationDeps } from '../../deps';
import type { LeasedWalk } from '../../store/outbound-walks';
import { whenThereIsRoom } from './outbound-room';

const PAGE = 200;
const AWAY_MS = 5_000;

/**
 * Notes the next page of the clients that an outside system is to hear of because telling it was switched on. The
 * place in the list is noted after them, so that a crash notes a page twice, which is as good as once.
 */
export async function backfillOutbound(deps: IntegrationDeps, row: LeasedWalk): Promise<void> {
  const { workspace_id: workspaceId, provider, cursor } = row;
  const { integrations, outboundJobs, backfills, clients, clock, soon } = deps;
  const integration = await integrations.get(workspaceId, provider);
  if (!integration?.enabled_outbound) return backfills.finish(row);
  const later = await whenThereIsRoom(deps, row);
  if (later) return backfills.goOn(row, cursor, later);
  try {
    const page = await clients.ListClients({
      workspace_id: workspaceId,
      limit: PAGE,
      offset: 0,
      sort: 'id',
      ...(cursor === null ? {} : { cursor }),
    });
    // No system ever heard of those who are anonymous, and none does now.
    const told = page.clients.filter(({ status }) => status !== 'anonymized');
    for (const { id: clientId } of told) {
      const job = { workspaceId, provider, clientId, action: 'upsert_customer' as const };
      await outboundJobs.enqueue(job, clock.now());
    }
    soon.outbound();
    if (page.next_cursor) await backfills.goOn(row, page.next_cursor, clock.now());
    else await backfills.finish(row);
  } catch (error) {
    if (!(error instanceof Refusal && error.httpStatus === 503)) throw error;
    await backfills.goOn(row, cursor, new Date(clock.now().getTime() + AWAY_MS));
  }
}
