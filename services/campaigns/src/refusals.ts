import { catalogue, platform } from '@laurel/errors';

/** Every way this domain says no, besides the platform's own. */
export const refusals = catalogue({
  campaignNotFound: platform.recordNotFound.says('the campaign does not exist'),
  actionNotFound: platform.recordNotFound.says('the campaign action does not exist'),
  notDraft: platform.conflict.says('only a draft campaign can be changed'),
  wrongStatus: platform.conflict.says('the status of the campaign does not allow this'),
  alreadyExecuted: platform.conflict.says('the action has been executed already'),
  noAudience: platform.invalidPayload.says(
    'the campaign needs an audience: segment_id or manual_client_ids',
  ),
  noActions: platform.invalidPayload.says('the campaign needs at least one action'),
  tooManyActions: platform.invalidPayload.says('a campaign has at most 50 actions'),
  notInFuture: platform.invalidPayload.says('scheduled_at must be in the future'),
  twoAudiences: platform.invalidPayload.says(
    'segment_id and manual_client_ids exclude each other: set the other one to null',
  ),
  unknownSegment: platform.invalidPayload.says('there is no such segment in the workspace'),
  notEveryAction: platform.invalidPayload.says(
    'action_ids must name every action of the campaign exactly once',
  ),
  keyTaken: platform.conflict.says('another campaign of the workspace has this key'),
  keyGiven: platform.conflict.says(
    'the campaign already has a key, by which files know it: send If-Match to give it another one',
  ),
});
