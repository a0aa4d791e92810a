export interface MailText {
  subject: string;
  text: string;
}

/** @param hasEarlierToken whether the account has an API token that somebody else may have made: a new password leaves it alone, the next membership ends it */
export function resetMail(link: string, hasEarlierToken: boolean): MailText {
  return {
    subject: 'Reset your password',
    text: [
      'Somebody asked to reset the password of your account.',
      '',
      'To choose a new one, follow this link within an hour:',
      link,
      '',
      ...(hasEarlierToken
        ? [
            'The account has an API token that somebody may have made before you. It stays until you join or open a workspace. If you did not make it, revoke it.',
            '',
          ]
        : []),
      'If it was not you, nothing needs to be done.',
    ].join('\n'),
  };
}

/** To an address that somebody named as their own. */
export function verificationMail(link: string): MailText {
  return {
    subject: 'Confirm your e-mail address',
    text: [
      'Somebody opened an account with this e-mail address.',
      '',
      'If it was you, follow this link within 48 hours to confirm the address:',
      link,
      '',
      'If it was not you, do not follow it. The account gets nothing that is meant for you.',
      'To make it yours, have a link sent by "forgot password": its password and its sessions end then.',
    ].join('\n'),
  };
}

/** To the first person of an installation. */
export function firstAccountMail(link: string): MailText {
  return {
    subject: 'Your account is ready',
    text: [
      'The first account of this installation is yours.',
      '',
      'To choose its password, follow this link within 48 hours:',
      link,
      '',
      'Afterwards, have a link sent by "forgot password".',
    ].join('\n'),
  };
}

export function invitationMail({
  workspaceName,
  inviterName,
  link,
}: {
  workspaceName: string;
  inviterName: string;
  link: string;
}): MailText {
  return {
    subject: `You are invited to ${workspaceName}`,
    text: [
      `${inviterName} invites you to the workspace ${workspaceName}.`,
      '',
      'To accept, follow this link within 7 days:',
      link,
    ].join('\n'),
  };
}

export function pairingMail(code: string, workspaceName: string): MailText {
  return {
    subject: `Your pairing code for ${workspaceName}`,
    text: pairingText(code, workspaceName),
  };
}

export function pairingText(code: string, workspaceName: string): string {
  return `Your code to sign in to the ${workspaceName} app is ${code}. It is valid for 10 minutes.`;
}

/** To the admins whose systems hear nothing any more until they act. */
export function webhookDisabledMail({
  workspaceName,
  url,
  reason,
}: {
  workspaceName: string;
  url: string;
  reason: 'gone' | 'failing';
}): MailText {
  const why =
    reason === 'gone'
      ? 'it answered that it is gone (410)'
      : 'every attempt of the last five days has failed';
  return {
    subject: `A webhook of ${workspaceName} was switched off`,
    text: [
      `Events of ${workspaceName} are no longer sent to ${url}, because ${why}.`,
      '',
      'What was waiting is kept. Mend the receiver, then activate the webhook again.',
    ].join('\n'),
  };
}

/** Who else is in a workspace. */
export interface Company {
  workspaceName: string;
  /** Some of them, each in one line. */
  people: readonly string[];
  count: number;
}

/** To who has just proven the address of an account that others may have used before. */
export function companyMail(company: readonly Company[]): MailText {
  return {
    subject: 'Who else is in your workspaces',
    text: [
      'You have just shown that this e-mail address is yours. Before that, somebody else may have used the account.',
      'These people are in workspaces that it opened:',
      '',
      ...company.flatMap(({ workspaceName, people, count }) => [
        `${workspaceName}:`,
        ...people.map((person) => `- ${person}`),
        ...(count > people.length ? [`- and ${count - people.length} more`] : []),
        '',
      ]),
      'Whom you do not know, remove from the members; look at its webhooks and integrations, too.',
      'Invitations that nobody had accepted have ended.',
    ].join('\n'),
  };
}
