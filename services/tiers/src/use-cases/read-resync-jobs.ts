import type { tiers as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { toResyncJobReply } from './wire';

/** Resync jobs of a workspace, newest first. */
export async function listResyncJobs(
  { resyncJobs }: Pick<Deps, 'resyncJobs'>,
  { workspace_id: workspaceId, limit, offset }: api.ListResyncJobsRequest,
): Promise<api.ResyncJobList> {
  const { jobs, total } = await resyncJobs.list(workspaceId, { limit, offset });
  return { jobs: jobs.map(toResyncJobReply), total };
}

export async function getResyncJob(
  { resyncJobs }: Pick<Deps, 'resyncJobs'>,
  { workspace_id: workspaceId, id }: { workspace_id: string; id: string },
): Promise<api.ResyncJob> {
  const job = await resyncJobs.find(workspaceId, id);
  if (!job) throw refusals.resyncJobNotFound();
  return toResyncJobReply(job);
}
