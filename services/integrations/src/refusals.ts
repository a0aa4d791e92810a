import { catalogue, platform } from '@laurel/errors';

/** The ways in which webhooks and integrations say no, beside INVALID_PAYLOAD on a field. */
export const refusals = catalogue({
  webhookNotFound: platform.recordNotFound.says('the webhook does not exist'),
  deliveryNotFound: platform.recordNotFound.says('the delivery does not exist'),
  tooManyWebhooks: platform.conflict.says(
    'a workspace has at most 100 webhooks: delete those that nobody reads any more',
  ),
  webhookInactive: platform.conflict.says('the webhook is not active; activate it first'),
  eventGone: platform.conflict.says('the event of this delivery is no longer kept'),

  cursorExpired: platform.invalidPayload.says(
    'not everything after this cursor is kept any more; begin without one',
    { field: 'cursor' },
  ),

  providerNotFound: platform.recordNotFound.says('there is no such provider'),
  notConfigured: platform.recordNotFound.says('the integration is not configured'),
  secretOfOtherOrigin: platform.invalidPayload.says(
    'give {key} together with this base_url: the one that is kept was given for {origin}, and goes nowhere else',
  ),
  cannotDo: platform.invalidPayload.says('the provider {provider} has no {capability} capability'),
  noInbox: platform.conflict.says('the integration has no inbox; provision one first'),
  inboxNotFound: platform.recordNotFound.says('there is no such inbox'),
  notGenuine: platform.invalidToken.says('the signature of the message is missing or wrong'),
  messageNotFound: platform.recordNotFound.says('the message does not exist'),
  notFailed: platform.conflict.says('only a message that has failed can be retried'),
  importEnded: platform.conflict.says('the import has ended already: it is {status}'),
  outboundJobNotFound: platform.recordNotFound.says('the outbound job does not exist'),
  outboundOff: platform.conflict.says('the integration sends nothing; switch outbound on first'),
  importJobNotFound: platform.recordNotFound.says('the import job does not exist'),
  keyTaken: platform.conflict.says('another webhook of the workspace has this key'),
  keyGiven: platform.conflict.says(
    'the webhook already has a key, by which files know it: send If-Match to give it another one',
  ),
});
