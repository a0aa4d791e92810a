import {
  type Actor,
  type Context,
  currentContext,
  newId,
  sandboxAheadMs,
  workspaceClock,
} from '@laurel/lifecycle';
import {
  type EventDefinition,
  type EventMap,
  type EventType,
  findDefinition,
  isOfUser,
  type UserEventType,
} from './catalogue';
import { isSurelyValid } from './catalogue/surely-valid';

/**
 * A CloudEvents 1.0 event in structured JSON, as it stands in outboxes and on the broker (part 3,
 * section 15). Extension names are lower-case letters as CloudEvents asks; absent ones are left out.
 */
export interface CloudEvent<Type extends string = string, Data = unknown> {
  specversion: '1.0';
  /** UUID v7; the key under which consumers remember having handled it. */
  id: string;
  source: string;
  type: Type;
  /** The client it is about, or else the main id. */
  subject: string;
  time: string;
  datacontenttype: 'application/json';
  /** Version of `data` in the catalogue. */
  dataversion: number;
  workspaceid?: string;
  correlationid: string;
  /** Id of the event whose handling caused this one. */
  causationid?: string;
  requestid: string;
  /** Automation rules that led here, oldest first, separated by commas. */
  chain?: string;
  depth: number;
  actortype: Actor['type'];
  actorid?: string;
  traceparent?: string;
  /** How far the clock of its workspace was ahead of real time, in milliseconds; of sandboxes alone (docs/adr/0029). */
  sandboxahead?: number;
  data: Data;
}

/** An event of a workspace, whose name a consumer may count on. */
export interface WorkspaceEvent<Type extends string = string, Data = unknown>
  extends CloudEvent<Type, Data> {
  workspaceid: string;
}

/** An event of one of some types, known by its `type`. */
export type EventOf<Type extends EventType> = Type extends UserEventType
  ? CloudEvent<Type, EventMap[Type]>
  : WorkspaceEvent<Type, EventMap[Type]>;

export interface NewEvent<Type extends EventType> {
  /** Only events about a user across workspaces have none. */
  workspaceId: string | (Type extends UserEventType ? null : never);
  subject: string;
  data: EventMap[Type];
  /** Minted unless given; give it when a retry must make the same event again. */
  id?: string;
  time?: Date;
}

/** Thrown when a service makes an event that its catalogue entry does not allow: a fault of the program. */
export class InvalidEvent extends Error {
  override readonly name = 'InvalidEvent';
}

export type PoisonReason =
  | 'invalid_json'
  | 'invalid_envelope'
  | 'unknown_type'
  | 'unknown_version'
  | 'invalid_data';

/** Thrown for a message that no retry can make readable; it is parked at once. */
export class Poison extends Error {
  override readonly name = 'Poison';
  constructor(
    readonly reason: PoisonReason,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Makes an event of the work going on: ids of request, cause, chain and actor come from the current
 * context. The data must satisfy the catalogue's schema exactly; throws InvalidEvent naming what does
 * not, before anything is written.
 */
export function createEvent<Type extends EventType>(
  type: Type,
  { workspaceId, subject, data, id = newId(), time }: NewEvent<Type>,
): EventOf<Type> {
  const definition = findDefinition(type);
  if (!definition) throw new InvalidEvent(`${type} is not in the event catalogue`);
  if (!isSurelyValid(definition, data)) {
    const { error } = definition.schema.validate(data, { convert: false, allowUnknown: false });
    if (error) throw new InvalidEvent(`${type}: ${error.message}`);
  }
  const context = currentContext();
  const ahead = sandboxAheadMs(workspaceId);
  const event = {
    specversion: '1.0',
    id,
    source: `/laurel/${definition.source}`,
    type,
    subject,
    time: (time ?? workspaceClock.now(workspaceId ?? '')).toISOString(),
    datacontenttype: 'application/json',
    dataversion: definition.version,
    ...(workspaceId === null ? {} : { workspaceid: workspaceId }),
    correlationid: context.correlationId,
    ...(context.causationId === null ? {} : { causationid: context.causationId }),
    requestid: context.requestId,
    ...(context.chain.length === 0 ? {} : { chain: context.chain.join(',') }),
    depth: context.depth,
    actortype: context.actor.type,
    ...(context.actor.id === null ? {} : { actorid: context.actor.id }),
    ...(context.traceparent === undefined ? {} : { traceparent: context.traceparent }),
    ...(ahead === undefined ? {} : { sandboxahead: ahead }),
    data,
  };
  return event as EventOf<Type>;
}

/**
 * The context in which an event is handled: same request, correlation, actor, chain and depth, with
 * the event as cause. Its id is the operation id, so that commands sent to other services while
 * handling it are the same commands on every redelivery.
 */
export function contextOf(event: CloudEvent): Context {
  return {
    requestId: event.requestid,
    actor: { type: event.actortype, id: event.actorid ?? null },
    workspaceId: event.workspaceid ?? null,
    operationId: event.id,
    operationKept: false,
    correlationId: event.correlationid,
    causationId: event.id,
    chain: event.chain ? event.chain.split(',') : [],
    depth: event.depth,
    background: true,
    ...(event.traceparent === undefined ? {} : { traceparent: event.traceparent }),
  };
}

/** Reads the envelope of a message; throws Poison when it is no event of ours. Does not look at `data`. */
export function parseEnvelope(content: Buffer): CloudEvent {
  let value: unknown;
  try {
    value = JSON.parse(content.toString('utf8'));
  } catch {
    throw new Poison('invalid_json', 'the message is not JSON');
  }
  const problem = envelopeProblem(value);
  if (problem) throw new Poison('invalid_envelope', problem);
  return value as CloudEvent;
}

/**
 * Checks the data of an event against the catalogue. Unknown members are fine, since changes are
 * additive; a newer version than this process knows or an unknown type is Poison that waits for a newer release (verdict.ts),
 * missing data is Poison, and so is a missing workspace.
 */
export function checkData(event: CloudEvent): EventDefinition {
  const definition = findDefinition(event.type);
  if (!definition) throw new Poison('unknown_type', `${event.type} is not in the event catalogue`);
  if (event.dataversion > definition.version) {
    const known = `${event.type} is known up to version ${definition.version}`;
    throw new Poison('unknown_version', `${known}, not ${event.dataversion}`);
  }
  if (event.workspaceid === undefined && !isOfUser(event.type))
    throw new Poison('invalid_envelope', `${event.type} names no workspace`);
  if (!isSurelyValid(definition, event.data)) {
    const { error } = definition.schema.validate(event.data, {
      convert: false,
      allowUnknown: true,
    });
    if (error) throw new Poison('invalid_data', `${event.type}: ${error.message}`);
  }
  return definition;
}

const REQUIRED_TEXT = [
  'id',
  'source',
  'type',
  'subject',
  'time',
  'correlationid',
  'requestid',
  'actortype',
];
const OPTIONAL_TEXT = ['workspaceid', 'causationid', 'chain', 'actorid', 'traceparent'];

function envelopeProblem(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'the message is not an object';
  const candidate = value as Record<string, unknown>;
  if (candidate.specversion !== '1.0') return 'specversion is not 1.0';
  for (const name of REQUIRED_TEXT) {
    if (typeof candidate[name] !== 'string' || candidate[name] === '') return `${name} is missing`;
  }
  for (const name of OPTIONAL_TEXT) {
    if (candidate[name] !== undefined && typeof candidate[name] !== 'string')
      return `${name} is not text`;
  }
  if (!Number.isInteger(candidate.dataversion)) return 'dataversion is not an integer';
  if (!Number.isInteger(candidate.depth) || (candidate.depth as number) < 0)
    return 'depth is not a count';
  if (candidate.sandboxahead !== undefined && !Number.isFinite(candidate.sandboxahead))
    return 'sandboxahead is not a number';
  if (!('data' in candidate)) return 'data is missing';
  return null;
}
