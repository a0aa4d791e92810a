import { catalogue, defineRefusal } from '@laurel/errors';

/** Every way this domain says no, besides the platform's own. */
export const refusals = catalogue({
  noProgram: defineRefusal('NOT_FOUND', 404, 'the workspace has no referral program'),
  unknownDistribution: defineRefusal(
    'INVALID_PAYLOAD',
    400,
    'there is no such distribution in the workspace',
  ),
  unknownClient: defineRefusal('INVALID_PAYLOAD', 400, 'there is no such client in the workspace'),
  referralNotFound: defineRefusal('RECORD_NOT_FOUND', 404, 'the referral does not exist'),
  notPending: defineRefusal('CONFLICT', 409, 'the referral is not pending'),
});
