import type { ObjectSchema } from 'joi';

/** The services that own event types; `source` of an event is `/laurel/<service>`. */
export type EventSource =
  | 'automations'
  | 'campaigns'
  | 'clients'
  | 'identity'
  | 'integrations'
  | 'ledger'
  | 'passes'
  | 'referrals'
  | 'rewards'
  | 'tiers';

/**
 * What a missing listener means for an event of this type (docs/adr/0004): `required` keeps it in
 * the outbox until a queue takes it, `optional` counts it as published.
 */
export type Listeners = 'required' | 'optional';

export interface EventDefinition<Type extends string = string, Data = unknown> {
  /** CloudEvents type and AMQP routing key, `<domain>.<event>`; a final `*` stands for any ending. */
  type: Type;
  /** Name under which outbound webhooks carry it (part 1, Events); null when it is internal. */
  webhook: string | null;
  /** Version of `data`. Changes are additive within a version; with a consumer versions that it does not know wait for its newer release. */
  version: number;
  /** Service that owns and publishes the type. */
  source: EventSource;
  description: string;
  schema: ObjectSchema<Data>;
  example: Data;
  listeners: Listeners;
  /**
   * Members of `data`, dotted, that may say who the client is, and what takes their place wherever the event is kept
   * when the client is erased (docs/adr/0043).
   */
  personal: Readonly<Record<string, null | Readonly<Record<string, never>>>>;
  /** Whether data holds nothing of a person in those members, so that they stay. */
  isImpersonal?(data: Data): boolean;
}

type Declaration<Type extends string, Data> = Omit<
  EventDefinition<Type, Data>,
  'listeners' | 'personal'
> &
  Partial<Pick<EventDefinition, 'listeners' | 'personal'>>;

/**
 * Declares one event type. `Data` comes from the schema (`Joi.object<PointsEarned>`), and the example
 * must be of it. Events that webhooks carry require a listener unless said otherwise: the service
 * that sends webhooks binds `#`, so that an event without a listener means its binding is missing.
 */
export function defineEvent<const Type extends string, Data>(
  declaration: Declaration<Type, Data>,
): EventDefinition<Type, Data> {
  const listeners =
    declaration.listeners ?? (declaration.webhook === null ? 'optional' : 'required');
  return { personal: {}, ...declaration, listeners };
}
