import type { WebhookDeps } from '../deps';
import { erasedUntil, keptUntil } from '../domain/retention';

export interface ErasedClient {
  workspaceId: string;
  clientId: string;
  erasedAt: Date;
}

/**
 * Lets go of what is kept about a person: replays and feeds do not bring it back, and what is still on its
 * way to a receiver has an hour to arrive.
 */
export async function eraseClient(
  {
    events,
    attempts,
    erasures,
    feedEntries,
    settings,
  }: Pick<WebhookDeps, 'events' | 'attempts' | 'erasures' | 'feedEntries' | 'settings'>,
  { workspaceId, clientId, erasedAt }: ErasedClient,
): Promise<void> {
  const now = new Date();
  await erasures.note(workspaceId, clientId, keptUntil(now, settings.retentionDays));
  await feedEntries.blankSubject(workspaceId, clientId, erasedAt);
  await events.expireSubject(workspaceId, clientId, {
    before: erasedAt,
    expiresAt: erasedUntil(now),
  });
  await attempts.expireSubject(workspaceId, clientId, erasedUntil(now));
}
