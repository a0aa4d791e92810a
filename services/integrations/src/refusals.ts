import { catalogue, defineRefusal, platform, type Refusal } from '@laurel/errors';

/** The ways in which webhooks and integrations say no, beside INVALID_PAYLOAD on a field. */
export const refusals = catalogue({
  webhookNotFound: (): Refusal =>
    platform.recordNotFound({ message: 'the webhook does not exist' }),
  deliveryNotFound: (): Refusal =>
    platform.recordNotFound({ message: 'the delivery does not exist' }),
  webhookInactive: (): Refusal =>
    platform.conflict({ message: 'the webhook is not active; activate it first' }),
  eventGone: (): Refusal =>
    platform.conflict({ message: 'the event of this delivery is no longer kept' }),

  cursorExpired: (): Refusal =>
    platform.invalidPayload({
      message: 'not everything after this cursor is kept any more; begin without one',
      field: 'cursor',
    }),

  providerNotFound: (): Refusal =>
    platform.recordNotFound({ message: 'there is no such provider' }),
  notConfigured: (): Refusal =>
    platform.recordNotFound({ message: 'the integration is not configured' }),
  cannotDo: (provider: string, capability: string, field?: string): Refusal =>
    platform.invalidPayload({
      message: `the provider ${provider} has no ${capability} capability`,
      ...(field === undefined ? {} : { field }),
    }),
  noInbox: (): Refusal =>
    platform.conflict({ message: 'the integration has no inbox; provision one first' }),
  inboxNotFound: (): Refusal => platform.recordNotFound({ message: 'there is no such inbox' }),
  notGenuine: (): Refusal =>
    platform.invalidToken({ message: 'the signature of the message is missing or wrong' }),
  messageNotFound: (): Refusal =>
    platform.recordNotFound({ message: 'the message does not exist' }),
  notFailed: (): Refusal =>
    platform.conflict({ message: 'only a message that has failed can be retried' }),
  importEnded: (status: string): Refusal =>
    platform.conflict({ message: `the import has ended already: it is ${status}` }),
  outboundJobNotFound: (): Refusal =>
    platform.recordNotFound({ message: 'the outbound job does not exist' }),
  outboundOff: (): Refusal =>
    platform.conflict({ message: 'the integration sends nothing; switch outbound on first' }),
  importJobNotFound: (): Refusal =>
    platform.recordNotFound({ message: 'the import job does not exist' }),
  keyTaken: defineRefusal('CONFLICT', 409, 'another webhook of the workspace has this key'),
  keyGiven: defineRefusal(
    'CONFLICT',
    409,
    'the webhook has a key already, which cannot be changed: files know it by that',
  ),
});
