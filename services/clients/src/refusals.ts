import { catalogue, defineRefusal, platform } from '@laurel/errors';

/** Every way this domain says no, besides the platform's own. */
export const refusals = catalogue({
  clientNotFound: platform.recordNotFound.says('the client does not exist'),
  verificationFailed: defineRefusal('VERIFICATION_FAILED', 400, 'verification_failed'),
  emailTaken: platform.invalidPayload.says(
    'another client of the workspace has this e-mail address',
  ),
  unknownClient: platform.invalidPayload.says('there is no such client in the workspace'),
  clientAnonymized: platform.conflict.says('the client is anonymized: there is no way back'),
  mergeOutOfRange: platform.invalidPayload.says(
    'the balances of both clients together are beyond the range of exact amounts',
  ),
  passNotFound: platform.recordNotFound.says('the pass does not exist'),
  unknownPass: platform.invalidPayload.says('there is no such pass in the workspace'),
  eventNotFound: platform.recordNotFound.says('the event does not exist'),
  fieldNotFound: platform.recordNotFound.says('the field does not exist'),
  systemField: platform.invalidPayload.says('a system field cannot be changed or deleted'),
  tooManyFields: platform.invalidPayload.says('a workspace has at most 500 custom fields'),
  fieldNameTaken: platform.conflict.says('the workspace already has a field of this name'),
  identityNotFound: platform.recordNotFound.says('the client has no identity with this provider'),
  identityTaken: platform.conflict.says(
    'another client of the workspace has this id with the provider',
  ),
  importJobNotFound: platform.recordNotFound.says('the import job does not exist'),
  importEnded: platform.conflict.says('the import has ended already'),
  uploadIncomplete: platform.invalidPayload.says('the upload is not complete'),
  tooManySegments: platform.invalidPayload.says('a workspace has at most 1000 segments'),
  segmentNotFound: platform.recordNotFound.says('the segment does not exist'),
  unknownSegment: platform.invalidPayload.says('there is no such segment in the workspace'),
  unknownTier: platform.invalidPayload.says('there is no such tier in the workspace'),
  unknownSort: platform.invalidPayload.says('sort must name a column of a client'),
  keyTaken: platform.conflict.says('another segment of the workspace has this key'),
  keyGiven: platform.conflict.says(
    'the segment already has a key, by which files know it: send If-Match to give it another one',
  ),
});
