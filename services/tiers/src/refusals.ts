import { catalogue, platform } from '@laurel/errors';

/** Every way this domain says no, besides the platform's own. */
export const refusals = catalogue({
  noTierSet: platform.invalidPayload.says('no tier set is configured in this workspace'),
  tierSetExists: platform.conflict.says('the workspace already has a tier set'),
  tierNotFound: platform.invalidPayload.says('tier not found'),
  notExclusive: platform.invalidPayload.says(
    'only an exclusive tier can be assigned; auto tiers follow from what a client does',
  ),
  unknownClient: platform.invalidPayload.says('there is no such client in the workspace'),
  clientNotFound: platform.recordNotFound.says('the client does not exist'),
  clientHasNoTiers: platform.invalidPayload.says(
    'only an active client who is enrolled in the loyalty programme can have a tier',
  ),
  unknownWalletType: platform.invalidPayload.says('there is no such wallet type in the workspace'),
  unknownPassTemplate: platform.invalidPayload.says(
    'there is no such pass template in the workspace',
  ),
  incompleteOrder: platform.invalidPayload.says(
    'tier_ids must name every tier of the workspace exactly once',
  ),
  resyncJobNotFound: platform.recordNotFound.says('the resync job does not exist'),
  keyTaken: platform.conflict.says('another tier of the workspace has this key'),
  keyGiven: platform.conflict.says(
    'the tier already has a key, by which files know it: send If-Match to give it another one',
  ),
});
