import { catalogue, defineRefusal } from '@laurel/errors';

/** Every way this domain says no, besides the platform's own. */
export const refusals = catalogue({
  campaignNotFound: defineRefusal('RECORD_NOT_FOUND', 404, 'the campaign does not exist'),
  actionNotFound: defineRefusal('RECORD_NOT_FOUND', 404, 'the campaign action does not exist'),
  notDraft: defineRefusal('CONFLICT', 409, 'only a draft campaign can be changed'),
  wrongStatus: defineRefusal('CONFLICT', 409, 'the status of the campaign does not allow this'),
  alreadyExecuted: defineRefusal('CONFLICT', 409, 'the action has been executed already'),
  noAudience: defineRefusal(
    'INVALID_PAYLOAD',
    400,
    'the campaign needs an audience: segment_id or manual_client_ids',
  ),
  noActions: defineRefusal('INVALID_PAYLOAD', 400, 'the campaign needs at least one action'),
  tooManyActions: defineRefusal('INVALID_PAYLOAD', 400, 'a campaign has at most 50 actions'),
  notInFuture: defineRefusal('INVALID_PAYLOAD', 400, 'scheduled_at must be in the future'),
  twoAudiences: defineRefusal(
    'INVALID_PAYLOAD',
    400,
    'segment_id and manual_client_ids exclude each other: set the other one to null',
  ),
  unknownSegment: defineRefusal(
    'INVALID_PAYLOAD',
    400,
    'there is no such segment in the workspace',
  ),
  notEveryAction: defineRefusal(
    'INVALID_PAYLOAD',
    400,
    'action_ids must name every action of the campaign exactly once',
  ),
  keyTaken: defineRefusal('CONFLICT', 409, 'another campaign of the workspace has this key'),
  keyGiven: defineRefusal(
    'CONFLICT',
    409,
    'the campaign has a key already, by which files know it: another one is given under If-Match',
  ),
});
