import { catalogue, platform } from '@laurel/errors';

/** Every way this domain says no, besides the platform's own. */
export const refusals = catalogue({
  projectNotFound: platform.recordNotFound.says('the project does not exist'),
  projectHasPasses: platform.conflict.says(
    'the project still has passes; delete or migrate them first',
  ),
  passTemplateNotFound: platform.recordNotFound.says('the pass template does not exist'),
  templateInUse: platform.conflict.says('passes are on the template; migrate them to another one'),
  templateMigrating: platform.conflict.says(
    'the pass template is part of a migration that is under way',
  ),
  passNotFound: platform.recordNotFound.says('the pass does not exist'),
  unknownProject: platform.invalidPayload.says('there is no such project in the workspace'),
  unknownPassTemplate: platform.invalidPayload.says(
    'there is no such pass template in the workspace',
  ),
  unknownClient: platform.invalidPayload.says('there is no such client in the workspace'),
  clientAnonymized: platform.invalidPayload.says(
    'the client is anonymized: a pass would end as soon as it was made',
  ),
  unknownTier: platform.invalidPayload.says('there is no such tier in the workspace'),
  templateOfOtherProject: platform.invalidPayload.says(
    'the pass template belongs to another project',
  ),
  passOfAnother: platform.conflict.says('the pass is not of this client any more'),
  passLeftWithoutClient: platform.recordNotFound.says('the pass is of no client any more'),
  passTaken: platform.conflict.says('the client already has a pass on this template'),
  resentTooOften: platform.rateLimited.says(
    'the links of a pass are mailed ten times a day at most',
  ),
  noImage: platform.invalidPayload.says(
    'the file must be a PNG, JPEG, WebP or GIF image of at most 40 million pixels',
  ),
  unknownFile: platform.invalidPayload.says('there is no such file in the workspace'),
  fileNotFound: platform.recordNotFound.says('the file does not exist'),
  barcodeTaken: platform.conflict.says('another pass has this barcode value'),
  distributionNotFound: platform.recordNotFound.says('the distribution does not exist'),
  formNotFound: platform.recordNotFound.says('there is no such enrollment form'),
  enrollmentClosed: platform.forbidden.says('enrollment is closed'),
  confirmationEnded: platform.invalidPayload.says('the link is wrong, was used or has expired'),
  noPage: platform.recordNotFound.says('the distribution has no page'),
  fileInUse: platform.conflict.says('the file is still shown; see used_by'),
  mobileAppExists: platform.invalidPayload.says('the workspace already has a mobile app config'),
  mobileAppNotConfigured: platform.recordNotFound.says('the workspace has no mobile app config'),
  mobileActionNotFound: platform.recordNotFound.says('the mobile app action does not exist'),
  operationNotFound: platform.recordNotFound.says('the operation does not exist'),
  notUndoable: platform.conflict.says('this cannot be taken back'),
  mobileActionDisabled: platform.conflict.says('the action is switched off'),
  pushNotFound: platform.recordNotFound.says('the push does not exist'),
  passEnded: platform.conflict.says('the pass is voided or has expired'),
  passEndedWithClient: platform.conflict.says('the pass ended with its client; make another one'),
  tooManyDevices: platform.conflict.says('the pass is on as many devices as it can be'),
  passOfNobody: platform.invalidPayload.says(
    'the pass belongs to no client yet: give it one first',
  ),
  noActiveReward: platform.invalidPayload.says(
    'such an action needs an active reward in the workspace',
  ),
  noExclusiveTier: platform.invalidPayload.says(
    'such an action needs an exclusive tier in the workspace',
  ),
  incompleteActionOrder: platform.invalidPayload.says(
    'action_ids must name every action of the config exactly once',
  ),
  noCardToHandOut: platform.conflict.says(
    'there is no card that the app may hand out: make a pass template for everybody first',
  ),
  tooManyActions: platform.conflict.says(
    'the app already has as many actions as it can have: delete one first',
  ),
  keyTaken: platform.conflict.says('another one of this kind in the workspace has this key'),
  keyGiven: platform.conflict.says(
    'it already has a key, by which files know it: send If-Match to give it another one',
  ),
});
