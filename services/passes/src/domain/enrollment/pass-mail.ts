import { type Language, wordings } from './wordings';

const NAME_MAX = 40;
/** What a mail program may make a link of, or what begins a new line: no name of anybody. */
const NO_NAME = /[\p{Cc}\p{Zl}\p{Zp}]|:\/\/|www\.|[\p{L}\p{N}]\.[\p{L}]{2,}|[@/\\<>]/iu;

/** Null for a wallet that is not offered. */
interface OfferedLinks {
  apple_pass_url: string | null;
  google_pass_url: string | null;
}

export interface PassNews {
  /** Of whom the pass is, as far as known. */
  name: string | null;
  workspaceName: string;
  /** null where there is no pass yet; a wallet that would not take it has no link. */
  links: OfferedLinks | null;
  /** The way into the portal, signed in; null or absent where there is none. */
  portal_url?: string | null;
}

export interface ConfirmationRequest extends PassNews {
  confirm_url: string;
  /** The words of the consent that was given; null where none was. */
  consentText: string | null;
}

/**
 * A name as it may stand in a greeting: anybody may have typed it into a form, for an address of anybody, so that it is
 * one short line and never an address to go to.
 */
export function greetingName(name: string | null): string | null {
  const trimmed = name?.trim() ?? '';
  if (trimmed === '' || NO_NAME.test(trimmed)) return null;
  return trimmed.length > NAME_MAX ? `${trimmed.slice(0, NAME_MAX).trimEnd()}…` : trimmed;
}

/** The mail that brings a pass; nothing in it but the links says anything of the person. */
export function passMail(language: Language, news: PassNews): { subject: string; text: string } {
  const { mail } = wordings[language];
  const { workspaceName } = news;
  const paragraphs = [
    mail.greeting(greetingName(news.name)),
    mail.lead(workspaceName),
    ...linkParagraphs(language, news),
    mail.ignore,
  ];
  return { subject: mail.subject(workspaceName), text: `${paragraphs.join('\n\n')}\n` };
}

/** Asks somebody who is known whether it was them who filled in a form; with their pass where they have one. */
export function confirmationMail(
  language: Language,
  { confirm_url, consentText, ...news }: ConfirmationRequest,
): { subject: string; text: string } {
  const { mail } = wordings[language];
  const { name, workspaceName, links } = news;
  const hasPass = links !== null;
  const paragraphs = [
    mail.greeting(greetingName(name)),
    mail.confirmLead(workspaceName),
    `${mail.confirm}:\n${confirm_url}`,
    ...(consentText === null ? [] : [`${mail.consent}\n“${consentText}”`]),
    mail.confirmUntil,
    ...(hasPass ? [mail.passBefore, ...linkParagraphs(language, news)] : []),
    mail.ignore,
  ];
  return { subject: mail.confirmSubject(workspaceName), text: `${paragraphs.join('\n\n')}\n` };
}

/** The same as a text message, for somebody of whom only a number is known. */
export function confirmationText(
  language: Language,
  { workspaceName, confirm_url }: ConfirmationRequest,
): string {
  const { mail } = wordings[language];
  return [mail.confirmSubject(workspaceName), `${mail.confirm}: ${confirm_url}`].join('\n');
}

function linkParagraphs(language: Language, { links, portal_url }: PassNews): string[] {
  const { mail } = wordings[language];
  return [
    ...(links?.apple_pass_url ? [`${mail.apple}:\n${links.apple_pass_url}`] : []),
    ...(links?.google_pass_url ? [`${mail.google}:\n${links.google_pass_url}`] : []),
    ...(links && portal_url ? [`${mail.portal}:\n${portal_url}`] : []),
  ];
}
