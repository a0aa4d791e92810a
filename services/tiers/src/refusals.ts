import { catalogue, defineRefusal } from '@laurel/errors';

/** Every way this domain says no, besides the platform's own. */
export const refusals = catalogue({
  noTierSet: defineRefusal('INVALID_PAYLOAD', 400, 'no tier set is configured in this workspace'),
  tierSetExists: defineRefusal('CONFLICT', 409, 'the workspace already has a tier set'),
  tierNotFound: defineRefusal('INVALID_PAYLOAD', 400, 'tier not found'),
  notExclusive: defineRefusal(
    'INVALID_PAYLOAD',
    400,
    'only an exclusive tier can be assigned; auto tiers follow from what a client does',
  ),
  unknownClient: defineRefusal('INVALID_PAYLOAD', 400, 'there is no such client in the workspace'),
  clientNotFound: defineRefusal('RECORD_NOT_FOUND', 404, 'the client does not exist'),
  clientHasNoTiers: defineRefusal(
    'INVALID_PAYLOAD',
    400,
    'only an active client who is enrolled in the loyalty programme can have a tier',
  ),
  unknownWalletType: defineRefusal(
    'INVALID_PAYLOAD',
    400,
    'there is no such wallet type in the workspace',
  ),
  unknownPassTemplate: defineRefusal(
    'INVALID_PAYLOAD',
    400,
    'there is no such pass template in the workspace',
  ),
  incompleteOrder: defineRefusal(
    'INVALID_PAYLOAD',
    400,
    'tier_ids must name every tier of the workspace exactly once',
  ),
  resyncJobNotFound: defineRefusal('RECORD_NOT_FOUND', 404, 'the resync job does not exist'),
  keyTaken: defineRefusal('CONFLICT', 409, 'another tier of the workspace has this key'),
  keyGiven: defineRefusal(
    'CONFLICT',
    409,
    'the tier has a key already, by which files know it: another one is given under If-Match',
  ),
});
