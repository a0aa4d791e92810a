import { problemOf, validated } from '@laurel/errors';
import { currentContext, runInContext } from '@laurel/lifecycle';
import type { clients, identity } from '@laurel/rpc';
import type Joi from 'joi';
import type { RpcClients } from '../../rpc-clients';
import { createEvent, type EventBody, eventOfAnyTime } from './schema';

interface Sound {
  index: number;
  event: EventBody;
}
type Checked = Sound | { index: number; error: string };

/** In which of some workspaces the caller is a member. */
type OwnOf = (candidates: readonly string[]) => Promise<identity.Membership[]>;

/**
 * Records the events of a batch, each on its own: what is malformed fails at the door under its own index, the rest
 * goes on together.
 */
export async function recordBatch(
  rpc: RpcClients,
  events: readonly Record<string, unknown>[],
  ownOf: OwnOf,
): Promise<clients.RecordedEvents> {
  const formed = soundOf(events.map((event, index) => check(eventOfAnyTime, event, index)));
  const { workspace_ids, aheadMsOf } = await placesOf(rpc, formed.sound, ownOf);
  const timely = soundOf(formed.sound.map((one) => checkTime(one, aheadMsOf(one.event.pass_id))));
  const malformed = [...formed.errors, ...timely.errors];
  // Also where nothing is left: the service knows what the request's key stands for.
  const recorded = await rpc.clients.RecordEvents({
    workspace_ids,
    events: timely.sound.map(({ event }) => event),
  });
  const refused = recorded.errors.map(({ index, error }) => ({
    index: timely.sound[index]!.index,
    error,
  }));
  return {
    ...recorded,
    failed: recorded.failed + malformed.length,
    errors: [...malformed, ...refused].sort((one, other) => one.index - other.index),
  };
}

/** The caller's workspaces among those of the passes, and how far that of a pass is ahead of real time. */
async function placesOf(rpc: RpcClients, sound: readonly Sound[], ownOf: OwnOf) {
  const pass_ids = [...new Set(sound.map(({ event }) => event.pass_id))];
  const { passes } =
    pass_ids.length === 0
      ? { passes: [] }
      : await rpc.clients.LocatePasses({ pass_ids, with_gone: true });
  const own = await ownOf([...new Set(passes.map((pass) => pass.workspace_id))]);
  const aheadMs = new Map(own.map((each) => [each.workspace_id, each.sandbox_ahead_ms]));
  const workspaceOf = new Map(passes.map((pass) => [pass.pass_id, pass.workspace_id]));
  return {
    workspace_ids: own.map(({ workspace_id }) => workspace_id),
    aheadMsOf: (passId: string) => aheadMs.get(workspaceOf.get(passId) ?? ''),
  };
}

/** What is in the future depends on whose future it is; a pass that is not the caller's goes by real time. */
function checkTime(one: Sound, sandboxAheadMs: number | undefined): Checked {
  if (one.event.event_timestamp === undefined) return one;
  const context = { ...currentContext(), ...(sandboxAheadMs ? { sandboxAheadMs } : {}) };
  return runInContext(context, () => check(createEvent, one.event, one.index));
}

function soundOf(checked: readonly Checked[]) {
  return {
    sound: checked.filter((one) => 'event' in one),
    errors: checked.filter((one) => 'error' in one),
  };
}

function check(schema: Joi.ObjectSchema<EventBody>, event: object, index: number): Checked {
  const { value, mistakes } = validated(schema, event, {
    convert: false,
    errors: { wrap: { label: false } },
  });
  const [mistake] = mistakes;
  return mistake ? { index, error: problemOf(mistake).message } : { index, event: value };
}
