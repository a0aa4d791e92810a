import { problemOf } from '@laurel/errors';
import type { clients } from '@laurel/rpc';
import type { RpcClients } from '../../rpc-clients';
import { createEvent, type EventBody } from './schema';

type Checked = { index: number; event: EventBody } | { index: number; error: string };

/**
 * Records the events of a batch, each on its own: what is malformed fails at the door under its own index, the rest
 * goes on together.
 */
export async function recordBatch(
  rpc: RpcClients,
  events: readonly Record<string, unknown>[],
  workspacesOf: (candidates: readonly string[]) => Promise<string[]>,
): Promise<clients.RecordedEvents> {
  const checked = events.map(check);
  const sound = checked.filter((one) => 'event' in one);
  const malformed = checked.filter((one) => 'error' in one);
  const recorded = await recordSound(
    rpc,
    sound.map(({ event }) => event),
    workspacesOf,
  );
  const refused = recorded.errors.map(({ index, error }) => ({
    index: sound[index]!.index,
    error,
  }));
  return {
    ...recorded,
    failed: recorded.failed + malformed.length,
    errors: [...malformed, ...refused].sort((one, other) => one.index - other.index),
  };
}

async function recordSound(
  rpc: RpcClients,
  events: EventBody[],
  workspacesOf: (candidates: readonly string[]) => Promise<string[]>,
): Promise<clients.RecordedEvents> {
  // Also where nothing is left: the service knows what the request's key stands for.
  if (events.length === 0) return rpc.clients.RecordEvents({ workspace_ids: [], events });
  const passIds = [...new Set(events.map((event) => event.pass_id))];
  const { passes } = await rpc.clients.LocatePasses({ pass_ids: passIds, with_gone: true });
  const workspaceIds = await workspacesOf([...new Set(passes.map((pass) => pass.workspace_id))]);
  return rpc.clients.RecordEvents({ workspace_ids: workspaceIds, events });
}

function check(event: Record<string, unknown>, index: number): Checked {
  const { value, error } = createEvent.validate(event, {
    convert: false,
    errors: { wrap: { label: false } },
  });
  const [mistake] = error?.details ?? [];
  return mistake ? { index, error: problemOf(mistake).message } : { index, event: value };
}
