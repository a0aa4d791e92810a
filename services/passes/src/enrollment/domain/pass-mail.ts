import { type Language, wordings } from './wordings';

export interface PassNews {
  /** Of whom the pass is, as far as known. */
  name: string | null;
  workspaceName: string;
  apple_pass_url: string;
  google_pass_url: string;
  /** The way into the portal, signed in; null or absent where there is none. */
  portal_url?: string | null;
}

/** The mail that brings a pass; nothing in it but the links says anything of the person. */
export function passMail(
  language: Language,
  { name, workspaceName, apple_pass_url, google_pass_url, portal_url }: PassNews,
): { subject: string; text: string } {
  const { mail } = wordings[language];
  const paragraphs = [
    mail.greeting(name),
    mail.lead(workspaceName),
    `${mail.apple}:\n${apple_pass_url}`,
    `${mail.google}:\n${google_pass_url}`,
    ...(portal_url ? [`${mail.portal}:\n${portal_url}`] : []),
    mail.ignore,
  ];
  return { subject: mail.subject(workspaceName), text: `${paragraphs.join('\n\n')}\n` };
}

/** The same as a text message, for somebody of whom only a number is known. */
export function passText(
  language: Language,
  { workspaceName, apple_pass_url, google_pass_url }: PassNews,
): string {
  const { mail } = wordings[language];
  return [
    mail.subject(workspaceName),
    `${mail.apple}: ${apple_pass_url}`,
    `${mail.google}: ${google_pass_url}`,
  ].join('\n');
}
