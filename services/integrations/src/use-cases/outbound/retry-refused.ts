import type { IntegrationDeps } from '../../deps';
import type { LeasedWalk } from '../../store/outbound-walks';
import { whenThereIsRoom } from './outbound-room';

/**
 * Makes the next piece of what an outside system refused due again, because what it was refused for may have been put right. The
 * place is noted after them, so that a crash has a piece sent once more, which is as good as once.
 */
export async function retryRefused(deps: IntegrationDeps, row: LeasedWalk): Promise<void> {
  const { workspace_id: workspaceId, provider, cursor } = row;
  const { integrations, outboundJobs, outboundRetries, clock, soon } = deps;
  const integration = await integrations.get(workspaceId, provider);
  if (!integration?.enabled_outbound) return outboundRetries.finish(row);
  const later = await whenThereIsRoom(deps, row);
  if (later) return outboundRetries.goOn(row, cursor, later);
  const now = clock.now();
  const next = await outboundJobs.hasten(workspaceId, provider, { after: cursor, now });
  soon.outbound();
  if (next === null) await outboundRetries.finish(row);
  else await outboundRetries.goOn(row, next, now);
}
