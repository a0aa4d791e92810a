import { invalidField } from '@laurel/errors';
import { cutPage, decodeCursor } from '@laurel/mongo';
import type { integrations as api } from '@laurel/rpc';
import type { IntegrationDeps } from '../../deps';
import { availableProviders } from '../../outside/providers';
import { refusals } from '../../refusals';
import type { JobPosition } from '../../store/outbound-job-lists';
import type { OutboundJobRow } from '../../store/outbound-job-rows';
import { requireIntegration } from '../integration/require-integration';
import { toOutboundJobReply } from '../integration/wire';

function isPosition(value: unknown): value is { at: string; id: string } {
  const { at, id } = (value ?? {}) as { at?: unknown; id?: unknown };
  return typeof at === 'string' && !Number.isNaN(Date.parse(at)) && typeof id === 'string';
}

function positionOf(cursor: string | undefined): JobPosition | undefined {
  if (cursor === undefined) return undefined;
  const { at, id } = decodeCursor(cursor, isPosition);
  return { at: new Date(at), id };
}

/** What outside systems hear of clients, one job per client and system; those that changed last first. */
export async function listOutboundJobs(
  { outboundJobs }: Pick<IntegrationDeps, 'outboundJobs'>,
  query: api.ListOutboundJobsRequest,
): Promise<api.OutboundJobList> {
  const { workspace_id: workspaceId, provider, status, limit, cursor } = query;
  if (provider !== undefined && !availableProviders.includes(provider))
    throw invalidField('provider', `provider must be one of ${availableProviders.join(', ')}`);
  const found = await outboundJobs.list(workspaceId, {
    provider,
    status: status as OutboundJobRow['status'] | undefined,
    after: positionOf(cursor),
    limit: limit + 1,
  });
  const { rows, nextCursor } = cutPage(found, limit, ({ updated_at, _id }) => ({
    at: updated_at.toISOString(),
    id: _id,
  }));
  return { data: rows.map(toOutboundJobReply), next_cursor: nextCursor };
}

/** Tells an outside system of a client again now, from the start of the schedule, whatever it heard before. */
export async function retryOutboundJob(
  deps: Pick<IntegrationDeps, 'integrations' | 'outboundJobs' | 'clock' | 'soon'>,
  { workspace_id: workspaceId, job_id: id }: api.OutboundJobRequest,
): Promise<api.OutboundJob> {
  const job = await deps.outboundJobs.byId(workspaceId, id);
  if (!job) throw refusals.outboundJobNotFound();
  const { provider } = job;
  const { enabled_outbound: isOn } = await requireIntegration(deps, { workspaceId, provider });
  if (!isOn) throw refusals.outboundOff();
  const armed = await deps.outboundJobs.rearm(workspaceId, id, deps.clock.now());
  if (!armed) throw refusals.outboundJobNotFound();
  deps.soon.outbound();
  return toOutboundJobReply(armed);
}
