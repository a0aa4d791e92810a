/** What mails of accounts and shops say; other languages have the same members. */
export const en = {
  resetSubject: 'Reset your password',
  resetLead: 'Somebody asked to reset the password of your account.',
  resetLink: 'To choose a new one, follow this link within an hour',
  choosePassword: 'Choose a new password',
  earlierToken:
    'The account has an API token that somebody may have made before you. It stays until you join or open a workspace. If you did not make it, revoke it.',
  notYou: 'If it was not you, nothing needs to be done.',
  verifySubject: 'Confirm your e-mail address',
  verifyLead: 'Somebody opened an account with this e-mail address.',
  verifyLink: 'If it was you, follow this link within 48 hours to confirm the address',
  verifyButton: 'Confirm the address',
  verifyNotYou:
    'If it was not you, do not follow it. The account gets nothing that is meant for you.\nTo make it yours, have a link sent by "forgot password": its password and its sessions end then.',
  firstSubject: 'Your account is ready',
  firstLead: 'The first account of this installation is yours.',
  firstLink: 'To choose its password, follow this link within 48 hours',
  firstAfter: 'Afterwards, have a link sent by "forgot password".',
  webhookSubject: (shop: string) => `A webhook of ${shop} was switched off`,
  webhookGone: 'it answered that it is gone (410)',
  webhookFailing: 'every attempt of the last five days has failed',
  webhookLead: (shop: string, url: string, why: string) =>
    `Events of ${shop} are no longer sent to ${url}, because ${why}.`,
  webhookNext: 'What was waiting is kept. Mend the receiver, then activate the webhook again.',
  companySubject: 'Who else is in your workspaces',
  companyLead:
    'You have just shown that this e-mail address is yours. Before that, somebody else may have used the account.\nThese people are in workspaces that it opened:',
  companyMore: (count: number) => `and ${count} more`,
  companyNext:
    'Whom you do not know, remove from the members; look at its webhooks and integrations, too.\nInvitations that nobody had accepted have ended.',
};

export type MailWords = typeof en;
