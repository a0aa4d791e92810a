import { catalogue, platform } from '@laurel/errors';

/** Every way in which identity says no, beyond the platform's own; in order of precedence within a use case. */
export const refusals = catalogue({
  registrationClosed: platform.forbidden.says('registration is closed on this platform'),
  emailTaken: platform.invalidPayload.says('this e-mail address already has an account', {
    field: 'email',
  }),
  /** To who holds an invitation of the address alone. */
  invitedHasAccount: platform.invalidPayload.says(
    'this e-mail address already has an account: sign in to accept the invitation; if the password is forgotten, or was never yours, have a link mailed that sets a new one',
    { field: 'email' },
  ),
  wrongLogin: platform.invalidCredentials.says('the e-mail address or the password is wrong'),
  tooManyFailures: platform.rateLimited.says('too many failed attempts, try again later'),
  deadLink: platform.invalidPayload.says('this link was used, has expired or was never sent', {
    field: 'token',
  }),
  wrongCurrentPassword: platform.invalidPayload.says('current_password is not your password', {
    field: 'current_password',
  }),
  signOnOff: platform.serviceUnavailable.says('single sign-on is not set up on this platform', {
    retryAfterSeconds: 3_600,
  }),
  signOnUnreachable: platform.serviceUnavailable.says('the identity provider cannot be reached', {
    retryAfterSeconds: 5,
  }),
  badIdentityToken: platform.invalidToken.says('the identity token is not valid'),
  unverifiedAddress: platform.invalidToken.says(
    'the provider has not verified this e-mail address',
  ),

  notAMember: platform.forbidden.says('you are not a member of this workspace'),
  workspaceDeleted: platform.forbidden.says('the workspace was deleted'),
  onlyTheCreator: platform.forbidden.says('only its creator may delete a workspace'),
  mailNotFound: platform.recordNotFound.says('there is no such mail; GET :ws/mails lists them'),
  slugTaken: platform.conflict.says('this slug is taken', { field: 'slug' }),
  wrongConfirmation: platform.invalidPayload.says(
    'confirm_slug must be the slug of the workspace',
    { field: 'confirm_slug' },
  ),

  tooManySandboxes: platform.conflict.says(
    'there are already as many sandboxes as there may be: delete one, or wait until one ends',
    { field: 'sandbox' },
  ),
  cloneUnderWay: platform.conflict.says(
    'a clone of this workspace is being made: wait until it is ready',
  ),
  cloneNotFound: platform.recordNotFound.says('there is no such clone of this workspace'),
  notASandbox: platform.conflict.says(
    'this workspace is live: only a sandbox has a clock of its own',
  ),
  clockAdvancing: platform.conflict.says(
    'the clock is being advanced already: wait until its status is ready',
    {
      retryAfterSeconds: 1,
    },
  ),
  clockGoesForward: platform.invalidPayload.says(
    'to must be later than the time that the clock shows',
    { field: 'to' },
  ),
  advanceTooFar: platform.invalidPayload.says(
    'to must be at most two years later than the time that the clock shows',
    { field: 'to' },
  ),

  downloadOver: platform.recordNotFound.says(
    'this address was used, has expired or never was: ask for the file again',
  ),

  tokenOfBefore: platform.forbidden.says(
    'this API token is from before the address was verified: sign in to do that',
  ),

  tooManyTokens: platform.conflict.says(
    'you already have as many tokens as you may have: revoke one first',
  ),
  endsBeforeItBegins: platform.invalidPayload.says('expires_at must be in the future', {
    field: 'expires_at',
  }),

  unknownUser: platform.invalidPayload.says('user_id names no user', { field: 'user_id' }),
  memberNotFound: platform.recordNotFound.says('there is no such member'),
  notYourself: platform.invalidPayload.says('you cannot {verb} yourself'),
  notTheCreator: platform.invalidPayload.says('the creator of a workspace cannot be removed'),
  lastAdmin: platform.invalidPayload.says('a workspace keeps at least one admin'),

  alreadyMember: platform.conflict.says('this person is already a member', { field: 'email' }),
  deadInvitation: platform.invalidPayload.says(
    'this invitation is no longer valid: ask for a new one',
    {
      field: 'invitation_token',
    },
  ),
  someoneElsesInvitation: platform.forbidden.says('this invitation is for another e-mail address'),
  invitationOfAnotherAddress: platform.invalidPayload.says(
    'this invitation is for another e-mail address',
    { field: 'invitation_token' },
  ),
  tooManyInvitations: platform.rateLimited.says(
    'too many invitations were mailed recently: try again later',
  ),
  invitationNotFound: platform.recordNotFound.says('there is no such invitation'),
  closedInvitation: platform.conflict.says('this invitation was accepted, revoked or replaced'),

  noContact: platform.invalidPayload.says('give an email or a phone', { field: 'email' }),
  mobileEmailTaken: platform.invalidPayload.says(
    'another app user of this workspace has this email',
    { field: 'email' },
  ),
  mobilePhoneTaken: platform.invalidPayload.says(
    'another app user of this workspace has this phone',
    { field: 'phone' },
  ),
  mobileUserNotFound: platform.recordNotFound.says('there is no such app user'),
  mobileSessionNotFound: platform.recordNotFound.says('there is no such session'),
  notAWorkspaceMember: platform.invalidPayload.says(
    'workspace_user_id is not a member of this workspace',
    { field: 'workspace_user_id' },
  ),
  alreadyLinked: platform.conflict.says('this member is already linked to an app user'),
  undeliverable: platform.invalidPayload.says('this app user has no {contact}', {
    field: 'delivery_method',
  }),
  suspendedUser: platform.conflict.says('this app user is suspended'),
  tooManyCodes: platform.rateLimited.says(
    'this app user got too many codes within the hour: try again later',
  ),
  // Why a device may not go on, so that it says so; of the first two it may go on later with the token that it has.
  appSwitchedOff: platform.invalidToken.says('the staff app of this workspace is switched off'),
  appUserBarred: platform.invalidToken.says('this app user is suspended, or is no longer a member'),
  deviceSignedOut: platform.invalidToken.says('this device was signed out'),
  wrongPairing: platform.invalidCredentials.says('the identifier or the code is not valid'),

  // The portal speaks in few and fixed words (part 1, Public loyalty portal).
  unknownPortalWorkspace: platform.recordNotFound.says('workspace not found'),
  /** With the language of the visitor who looks for the portal: that of its shop. */
  portalOff: platform.recordNotFound.says('portal not enabled'),
  proofRequired: platform.forbidden.says('sign in with a code or with your portal link'),
  badPortalLink: platform.invalidToken.says('invalid token'),
  unknownPortalClient: platform.recordNotFound.says('not_found'),
  wrongPortalCode: platform.invalidCredentials.says('invalid credentials'),
  programmeNotFound: platform.recordNotFound.says('nothing is managed under this name'),
  beingApplied: platform.conflict.says('somebody else is applying this programme'),
  managedElsewhere: platform.conflict.says('another programme manages one of these'),
});
