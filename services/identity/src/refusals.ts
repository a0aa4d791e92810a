import { catalogue, invalidField, platform, type Refusal } from '@laurel/errors';

/** Every way in which identity says no, beyond the platform's own; in order of precedence within a use case. */
export const refusals = catalogue({
  registrationClosed: (): Refusal =>
    platform.forbidden({ message: 'registration is closed on this platform' }),
  emailTaken: (): Refusal => invalidField('email', 'this e-mail address already has an account'),
  /** To who holds an invitation of the address alone. */
  invitedHasAccount: (): Refusal =>
    invalidField(
      'email',
      'this e-mail address already has an account: sign in to accept the invitation; if the password is forgotten, or was never yours, have a link mailed that sets a new one',
    ),
  wrongLogin: (): Refusal =>
    platform.invalidCredentials({ message: 'the e-mail address or the password is wrong' }),
  tooManyFailures: (retryAfterSeconds: number): Refusal =>
    platform.rateLimited({
      message: 'too many failed attempts, try again later',
      retryAfterSeconds,
    }),
  deadLink: (): Refusal =>
    invalidField('token', 'this link was used, has expired or was never sent'),
  wrongCurrentPassword: (): Refusal =>
    invalidField('current_password', 'current_password is not your password'),
  signOnOff: (): Refusal =>
    platform.serviceUnavailable({
      message: 'single sign-on is not set up on this platform',
      retryAfterSeconds: 3_600,
    }),
  signOnUnreachable: (): Refusal =>
    platform.serviceUnavailable({
      message: 'the identity provider cannot be reached',
      retryAfterSeconds: 5,
    }),
  badIdentityToken: (): Refusal =>
    platform.invalidToken({ message: 'the identity token is not valid' }),
  unverifiedAddress: (): Refusal =>
    platform.invalidToken({ message: 'the provider has not verified this e-mail address' }),

  notAMember: (): Refusal =>
    platform.forbidden({ message: 'you are not a member of this workspace' }),
  onlyTheCreator: (): Refusal =>
    platform.forbidden({ message: 'only its creator may delete a workspace' }),
  mailNotFound: (): Refusal =>
    platform.recordNotFound({ message: 'there is no such mail; GET :ws/mails lists them' }),
  slugTaken: (): Refusal => platform.conflict({ message: 'this slug is taken', field: 'slug' }),
  wrongConfirmation: (): Refusal =>
    invalidField('confirm_slug', 'confirm_slug must be the slug of the workspace'),

  tooManySandboxes: (): Refusal =>
    platform.conflict({
      message: 'there are as many sandboxes as there may be: delete one, or wait until one ends',
      field: 'sandbox',
    }),
  notASandbox: (): Refusal =>
    platform.conflict({ message: 'this workspace is live: only a sandbox has a clock of its own' }),
  clockAdvancing: (): Refusal =>
    platform.conflict({ message: 'the clock is on its way already', retryAfterSeconds: 1 }),
  clockGoesForward: (): Refusal =>
    invalidField('to', 'to must be later than the time that the clock shows'),
  advanceTooFar: (): Refusal =>
    invalidField('to', 'to must be at most two years later than the time that the clock shows'),

  tokenOfBefore: (): Refusal =>
    platform.forbidden({
      message: 'this API token is from before the address was verified: sign in to do that',
    }),

  unknownUser: (): Refusal => invalidField('user_id', 'user_id names no user'),
  memberNotFound: (): Refusal => platform.recordNotFound({ message: 'there is no such member' }),
  notYourself: (verb: string): Refusal =>
    platform.invalidPayload({ message: `you cannot ${verb} yourself` }),
  notTheCreator: (): Refusal =>
    platform.invalidPayload({ message: 'the creator of a workspace cannot be removed' }),
  lastAdmin: (): Refusal =>
    platform.invalidPayload({ message: 'a workspace keeps at least one admin' }),

  alreadyMember: (): Refusal =>
    platform.conflict({ message: 'this person is already a member', field: 'email' }),
  deadInvitation: (): Refusal =>
    invalidField('invitation_token', 'this invitation is not valid any more'),
  someoneElsesInvitation: (): Refusal =>
    platform.forbidden({ message: 'this invitation is for another e-mail address' }),
  invitationOfAnotherAddress: (): Refusal =>
    invalidField('invitation_token', 'this invitation is for another e-mail address'),
  tooManyInvitations: (retryAfterSeconds: number): Refusal =>
    platform.rateLimited({
      message: 'too many invitations were mailed of late, try again later',
      retryAfterSeconds,
    }),
  invitationNotFound: (): Refusal =>
    platform.recordNotFound({ message: 'there is no such invitation' }),
  closedInvitation: (): Refusal =>
    platform.conflict({ message: 'this invitation was accepted, revoked or replaced' }),

  noContact: (): Refusal => invalidField('email', 'give an email or a phone'),
  mobileEmailTaken: (): Refusal =>
    invalidField('email', 'another app user of this workspace has this email'),
  mobilePhoneTaken: (): Refusal =>
    invalidField('phone', 'another app user of this workspace has this phone'),
  mobileUserNotFound: (): Refusal =>
    platform.recordNotFound({ message: 'there is no such app user' }),
  mobileSessionNotFound: (): Refusal =>
    platform.recordNotFound({ message: 'there is no such session' }),
  notAWorkspaceMember: (): Refusal =>
    invalidField('workspace_user_id', 'workspace_user_id is no member of this workspace'),
  alreadyLinked: (): Refusal =>
    platform.conflict({ message: 'this member is already linked to an app user' }),
  undeliverable: (contact: 'email' | 'phone'): Refusal =>
    invalidField('delivery_method', `this app user has no ${contact}`),
  suspendedUser: (): Refusal => platform.conflict({ message: 'this app user is suspended' }),
  tooManyCodes: (retryAfterSeconds: number): Refusal =>
    platform.rateLimited({
      message: 'this app user got too many codes within the hour',
      retryAfterSeconds,
    }),
  wrongPairing: (): Refusal =>
    platform.invalidCredentials({ message: 'the identifier or the code is not valid' }),

  // The portal speaks in few and fixed words (part 1, Public loyalty portal).
  unknownPortalWorkspace: (): Refusal =>
    platform.recordNotFound({ message: 'workspace not found' }),
  /** With the language of whoever looks for the portal: that of its shop. */
  portalOff: (locale: string): Refusal =>
    platform.recordNotFound({ message: 'portal not enabled', extensions: { locale } }),
  proofRequired: (): Refusal =>
    platform.forbidden({ message: 'sign in with a code or with your portal link' }),
  badPortalLink: (): Refusal => platform.invalidToken({ message: 'invalid token' }),
  unknownPortalClient: (): Refusal => platform.recordNotFound({ message: 'not_found' }),
  wrongPortalCode: (): Refusal => platform.invalidCredentials({ message: 'invalid credentials' }),
});
