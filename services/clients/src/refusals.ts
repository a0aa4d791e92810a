import { catalogue, defineRefusal } from '@laurel/errors';

/** Every way this domain says no, besides the platform's own. */
export const refusals = catalogue({
  clientNotFound: defineRefusal('RECORD_NOT_FOUND', 404, 'the client does not exist'),
  verificationFailed: defineRefusal('VERIFICATION_FAILED', 400, 'verification_failed'),
  emailTaken: defineRefusal(
    'INVALID_PAYLOAD',
    400,
    'another client of the workspace has this e-mail address',
  ),
  unknownClient: defineRefusal('INVALID_PAYLOAD', 400, 'there is no such client in the workspace'),
  clientAnonymized: defineRefusal(
    'CONFLICT',
    409,
    'the client is anonymized: there is no way back',
  ),
  mergeOutOfRange: defineRefusal(
    'INVALID_PAYLOAD',
    400,
    'the balances of both clients together are beyond the range of exact amounts',
  ),
  passNotFound: defineRefusal('RECORD_NOT_FOUND', 404, 'the pass does not exist'),
  unknownPass: defineRefusal('INVALID_PAYLOAD', 400, 'there is no such pass in the workspace'),
  eventNotFound: defineRefusal('RECORD_NOT_FOUND', 404, 'the event does not exist'),
  fieldNotFound: defineRefusal('RECORD_NOT_FOUND', 404, 'the field does not exist'),
  systemField: defineRefusal('INVALID_PAYLOAD', 400, 'a system field cannot be changed or deleted'),
  fieldNameTaken: defineRefusal('CONFLICT', 409, 'the workspace already has a field of this name'),
  identityNotFound: defineRefusal(
    'RECORD_NOT_FOUND',
    404,
    'the client has no identity with this provider',
  ),
  identityTaken: defineRefusal(
    'CONFLICT',
    409,
    'another client of the workspace has this id with the provider',
  ),
  importJobNotFound: defineRefusal('RECORD_NOT_FOUND', 404, 'the import job does not exist'),
  importEnded: defineRefusal('CONFLICT', 409, 'the import has ended already'),
  uploadIncomplete: defineRefusal('INVALID_PAYLOAD', 400, 'the upload is not complete'),
  segmentNotFound: defineRefusal('RECORD_NOT_FOUND', 404, 'the segment does not exist'),
  unknownSegment: defineRefusal(
    'INVALID_PAYLOAD',
    400,
    'there is no such segment in the workspace',
  ),
  unknownTier: defineRefusal('INVALID_PAYLOAD', 400, 'there is no such tier in the workspace'),
  unknownSort: defineRefusal('INVALID_PAYLOAD', 400, 'sort must name a column of a client'),
  keyTaken: defineRefusal('CONFLICT', 409, 'another segment of the workspace has this key'),
  keyGiven: defineRefusal(
    'CONFLICT',
    409,
    'the segment has a key already, by which files know it: another one is given under If-Match',
  ),
});
