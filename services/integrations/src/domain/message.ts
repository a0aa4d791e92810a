export interface WebhookMessage {
  /** Name under which webhooks carry the event (part 1, Events). */
  type: string;
  /** When it happened, ISO 8601. */
  timestamp: string;
  data: unknown;
  workspaceId: string;
}

/** The body of a webhook. Rendered once per event, so that every attempt sends and signs the same bytes. */
export function renderMessage({ type, timestamp, data, workspaceId }: WebhookMessage): string {
  return JSON.stringify({ type, timestamp, data, workspace_id: workspaceId });
}

/** The same in a feed: with the id of the event, under which webhooks bring it. */
export function renderEntry({
  id,
  type,
  timestamp,
  data,
  workspaceId,
}: WebhookMessage & { id: string }): string {
  return JSON.stringify({ id, type, timestamp, data, workspace_id: workspaceId });
}
