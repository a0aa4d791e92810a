import type { IntegrationDeps } from '../../deps';
import type { WalkRow } from '../../store/outbound-walks';

/** No more of them are due at once, so that a client that changes meanwhile waits for few others. What is to be tried again later delays none. */
const DUE_MAX = 400;
const WAIT_MS = 2_000;

/** When a walk may make more of an integration's jobs due; null where it may now. */
export async function whenThereIsRoom(
  { outboundJobs, clock }: Pick<IntegrationDeps, 'outboundJobs' | 'clock'>,
  { workspace_id: workspaceId, provider }: WalkRow,
): Promise<Date | null> {
  const now = clock.now();
  const due = await outboundJobs.countDue(workspaceId, provider, { now, limit: DUE_MAX });
  return due < DUE_MAX ? null : new Date(now.getTime() + WAIT_MS);
}
