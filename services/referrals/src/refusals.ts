import { catalogue, platform } from '@laurel/errors';

/** Every way this domain says no, besides the platform's own. */
export const refusals = catalogue({
  noProgram: platform.notFound.says('the workspace has no referral program'),
  unknownDistribution: platform.invalidPayload.says(
    'there is no such distribution in the workspace',
  ),
  unknownClient: platform.invalidPayload.says('there is no such client in the workspace'),
  referralNotFound: platform.recordNotFound.says('the referral does not exist'),
  notPending: platform.conflict.says('the referral is not pending'),
});
