import Joi, { type ObjectSchema } from 'joi';
import { defineEvent, type EventDefinition } from './define';
import { count, id, nullableId, revision, sample } from './fields';

/** Whose pass it is, and on which template: what other services keep of a pass. */
export interface PassChanged {
  pass_id: string;
  client_id: string | null;
  pass_template_id: string;
  project_id: string;
  /** Grows with every change of the pass, so that listeners can tell which of two is the later; absent in events of earlier releases. */
  pass_revision?: number;
  /** The template that the pass was on until now, where that changed; and who changed it. */
  previous_template_id?: string;
  source?: string;
}

/** What other services keep of a distribution. */
export interface DistributionChanged {
  distribution_id: string;
  /** Address of its public page; null while it has none. */
  public_url: string | null;
  /** As `pass_revision`, of the distribution. */
  distribution_revision?: number;
}
export interface DistributionDeleted {
  distribution_id: string;
}

/** A device that got a pass or lost it, and how many have it now, whatever their wallet. */
export interface DeviceChanged {
  pass_id: string;
  client_id: string | null;
  wallet: 'apple' | 'google';
  device_count: number;
}

const schema: ObjectSchema<PassChanged> = Joi.object<PassChanged>({
  pass_id: id(),
  client_id: nullableId(),
  pass_template_id: id(),
  project_id: id(),
  pass_revision: revision(),
  previous_template_id: Joi.string().guid(),
  source: Joi.string(),
});
const example: PassChanged = {
  pass_id: sample.passId,
  client_id: sample.clientId,
  pass_template_id: sample.walletTypeId,
  project_id: sample.walletId,
  pass_revision: 1,
};

const deviceSchema: ObjectSchema<DeviceChanged> = Joi.object<DeviceChanged>({
  pass_id: id(),
  client_id: nullableId(),
  wallet: Joi.string().valid('apple', 'google').required(),
  device_count: count(),
});
const deviceExample: DeviceChanged = {
  pass_id: sample.passId,
  client_id: sample.clientId,
  wallet: 'apple',
  device_count: 1,
};

const internal = { webhook: null, version: 1, source: 'passes' } as const;

function pass<const Type extends `passes.pass_${string}`>(
  type: Type,
  description: string,
): EventDefinition<Type, PassChanged> {
  return defineEvent({ ...internal, type, description, schema, example });
}

/** The life of a pass and of the pages that give passes out; what happens on devices comes as pass_lifecycle.* from the trail. */
export const passEvents = [
  pass('passes.pass_created', 'A pass was created.'),
  pass('passes.pass_updated', 'A pass has another client or template.'),
  pass('passes.pass_deleted', 'A pass is gone.'),
  defineEvent({
    ...internal,
    type: 'passes.device_registered',
    description: 'A device has a pass now. The trail tells the first one as an installation.',
    schema: deviceSchema,
    example: deviceExample,
  }),
  defineEvent({
    ...internal,
    type: 'passes.device_unregistered',
    description: 'A device has a pass no more. The trail tells the last one as its end.',
    schema: deviceSchema,
    example: { ...deviceExample, device_count: 0 },
  }),
  defineEvent({
    ...internal,
    type: 'passes.distribution_updated',
    description: 'A distribution was created, or the address of its public page changed.',
    schema: Joi.object<DistributionChanged>({
      distribution_id: id(),
      public_url: Joi.string().uri().allow(null).required(),
      distribution_revision: revision(),
    }),
    example: {
      distribution_id: sample.walletId,
      public_url: `https://loyalty.example.com/d/${sample.walletId}`,
      distribution_revision: 1,
    },
  }),
  defineEvent({
    ...internal,
    type: 'passes.distribution_deleted',
    description: 'A distribution is gone.',
    schema: Joi.object<DistributionDeleted>({ distribution_id: id() }),
    example: { distribution_id: sample.walletId },
  }),
] as const;
