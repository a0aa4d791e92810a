import { createEvent } from '@laurel/events';
import type { Distribution } from '../../domain/distribution/distribution';
import { publicUrlOf } from './wire';

/** Tells where a distribution's page is, or that it has none. */
export function updatedEvent(publicUrl: string, distribution: Distribution) {
  const { id, workspace_id: workspaceId } = distribution;
  const data = { distribution_id: id, public_url: publicUrlOf(publicUrl, distribution) };
  return createEvent('passes.distribution_updated', { workspaceId, subject: id, data });
}

export function deletedEvent({ id, workspace_id: workspaceId }: Distribution) {
  const data = { distribution_id: id };
  return createEvent('passes.distribution_deleted', { workspaceId, subject: id, data });
}
