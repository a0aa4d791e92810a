import { createEvent } from '@laurel/events';
import type { Distribution } from '../../domain/distribution/distribution';
import { publicUrlOf } from './wire';

/** Tells where the page of a distribution is, as that was written, or that it has none. */
export function updatedEvent(publicUrl: string, distribution: Distribution) {
  const { id, workspace_id: workspaceId, revision: distribution_revision } = distribution;
  const public_url = publicUrlOf(publicUrl, distribution);
  const data = { distribution_id: id, public_url, distribution_revision };
  return createEvent('passes.distribution_updated', { workspaceId, subject: id, data });
}

export function deletedEvent({ id, workspace_id: workspaceId }: Distribution) {
  const data = { distribution_id: id };
  return createEvent('passes.distribution_deleted', { workspaceId, subject: id, data });
}
