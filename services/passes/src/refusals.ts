import { catalogue, defineRefusal, defineTransientRefusal } from '@laurel/errors';

/** Every way this domain says no, besides the platform's own. */
export const refusals = catalogue({
  projectNotFound: defineRefusal('RECORD_NOT_FOUND', 404, 'the project does not exist'),
  projectHasPasses: defineRefusal(
    'CONFLICT',
    409,
    'the project still has passes; delete or migrate them first',
  ),
  passTemplateNotFound: defineRefusal('RECORD_NOT_FOUND', 404, 'the pass template does not exist'),
  templateInUse: defineRefusal(
    'CONFLICT',
    409,
    'passes are on the template; migrate them to another one',
  ),
  templateMigrating: defineRefusal(
    'CONFLICT',
    409,
    'the pass template is part of a migration that is under way',
  ),
  passNotFound: defineRefusal('RECORD_NOT_FOUND', 404, 'the pass does not exist'),
  unknownProject: defineRefusal(
    'INVALID_PAYLOAD',
    400,
    'there is no such project in the workspace',
  ),
  unknownPassTemplate: defineRefusal(
    'INVALID_PAYLOAD',
    400,
    'there is no such pass template in the workspace',
  ),
  unknownClient: defineRefusal('INVALID_PAYLOAD', 400, 'there is no such client in the workspace'),
  unknownTier: defineRefusal('INVALID_PAYLOAD', 400, 'there is no such tier in the workspace'),
  templateOfOtherProject: defineRefusal(
    'INVALID_PAYLOAD',
    400,
    'the pass template belongs to another project',
  ),
  passTaken: defineRefusal('CONFLICT', 409, 'the client already has a pass on this template'),
  resentTooOften: defineTransientRefusal(
    'RATE_LIMITED',
    429,
    'the links of a pass are mailed ten times a day at most',
  ),
  noImage: defineRefusal(
    'INVALID_PAYLOAD',
    400,
    'the file must be a PNG, JPEG, WebP or GIF image of at most 40 million pixels',
  ),
  unknownFile: defineRefusal('INVALID_PAYLOAD', 400, 'there is no such file in the workspace'),
  fileNotFound: defineRefusal('RECORD_NOT_FOUND', 404, 'the file does not exist'),
  barcodeTaken: defineRefusal('CONFLICT', 409, 'another pass has this barcode value'),
  distributionNotFound: defineRefusal('RECORD_NOT_FOUND', 404, 'the distribution does not exist'),
  formNotFound: defineRefusal('RECORD_NOT_FOUND', 404, 'there is no such enrollment form'),
  enrollmentClosed: defineRefusal('FORBIDDEN', 403, 'enrollment is closed'),
  confirmationEnded: defineRefusal(
    'INVALID_PAYLOAD',
    400,
    'the link is wrong, was used or has expired',
  ),
  noPage: defineRefusal('RECORD_NOT_FOUND', 404, 'the distribution has no page'),
  fileInUse: defineRefusal('CONFLICT', 409, 'the file is still shown; see used_by'),
  mobileAppExists: defineRefusal(
    'INVALID_PAYLOAD',
    400,
    'the workspace already has a mobile app config',
  ),
  mobileAppNotConfigured: defineRefusal(
    'RECORD_NOT_FOUND',
    404,
    'the workspace has no mobile app config',
  ),
  mobileActionNotFound: defineRefusal(
    'RECORD_NOT_FOUND',
    404,
    'the mobile app action does not exist',
  ),
  operationNotFound: defineRefusal('RECORD_NOT_FOUND', 404, 'the operation does not exist'),
  notUndoable: defineRefusal('CONFLICT', 409, 'this cannot be taken back'),
  mobileActionDisabled: defineRefusal('CONFLICT', 409, 'the action is switched off'),
  pushNotFound: defineRefusal('RECORD_NOT_FOUND', 404, 'the push does not exist'),
  passEnded: defineRefusal('CONFLICT', 409, 'the pass is voided or has expired'),
  passEndedWithClient: defineRefusal(
    'CONFLICT',
    409,
    'the pass ended with its client; make another one',
  ),
  passOfNobody: defineRefusal('INVALID_PAYLOAD', 400, 'the pass is of nobody yet'),
  noActiveReward: defineRefusal(
    'INVALID_PAYLOAD',
    400,
    'such an action needs an active reward in the workspace',
  ),
  noExclusiveTier: defineRefusal(
    'INVALID_PAYLOAD',
    400,
    'such an action needs an exclusive tier in the workspace',
  ),
  incompleteActionOrder: defineRefusal(
    'INVALID_PAYLOAD',
    400,
    'action_ids must name every action of the config exactly once',
  ),
  noCardToHandOut: defineRefusal('CONFLICT', 409, 'there is no card that the app hands out'),
  tooManyActions: defineRefusal('CONFLICT', 409, 'the app has as many actions as it can have'),
  keyTaken: defineRefusal('CONFLICT', 409, 'another one of its kind in the workspace has this key'),
  keyGiven: defineRefusal(
    'CONFLICT',
    409,
    'it has a key already, by which files know it: another one is given under If-Match',
  ),
});
