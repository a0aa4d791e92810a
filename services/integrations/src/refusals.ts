import { platform, type Refusal } from '@laurel/errors';

/** The ways in which webhooks say no, beside INVALID_PAYLOAD on a field. */
export const refusals = {
  unknownWebhook: (): Refusal => platform.recordNotFound({ message: 'the webhook does not exist' }),
  unknownDelivery: (): Refusal =>
    platform.recordNotFound({ message: 'the delivery does not exist' }),
  inactive: (): Refusal =>
    platform.conflict({ message: 'the webhook is not active; activate it first' }),
  eventGone: (): Refusal =>
    platform.conflict({ message: 'the event of this delivery is no longer kept' }),
};
