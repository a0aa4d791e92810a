import type { MailText } from './mails';

interface Words {
  subject: (workspaceName: string) => string;
  text: (code: string, workspaceName: string) => string;
}

const ENGLISH: Words = {
  subject: (name) => `Your sign-in code for ${name}`,
  text: (code, name) =>
    `Your code to sign in to ${name} is ${code}. It is valid for 10 minutes.\n\nIf you did not ask for it, nothing needs to be done.`,
};

/** The languages that the portal speaks (part 3, section 9). */
const WORDS: Record<string, Words> = {
  en: ENGLISH,
  de: {
    subject: (name) => `Ihr Anmeldecode für ${name}`,
    text: (code, name) =>
      `Ihr Code zur Anmeldung bei ${name} lautet ${code}. Er gilt 10 Minuten.\n\nWenn Sie ihn nicht angefordert haben, müssen Sie nichts tun.`,
  },
  fr: {
    subject: (name) => `Votre code de connexion à ${name}`,
    text: (code, name) =>
      `Votre code de connexion à ${name} est ${code}. Il est valable 10 minutes.\n\nSi vous ne l’avez pas demandé, vous n’avez rien à faire.`,
  },
  es: {
    subject: (name) => `Su código de acceso a ${name}`,
    text: (code, name) =>
      `Su código para acceder a ${name} es ${code}. Es válido durante 10 minutos.\n\nSi no lo ha solicitado, no tiene que hacer nada.`,
  },
  pl: {
    subject: (name) => `Kod logowania do ${name}`,
    text: (code, name) =>
      `Twój kod logowania do ${name} to ${code}. Jest ważny przez 10 minut.\n\nJeśli to nie Twoja prośba, nie musisz nic robić.`,
  },
};

/** The mail with a portal code, in the language of the workspace, else in English. */
export function portalCodeMail(
  code: string,
  { name, locale }: { name: string; locale: string },
): MailText {
  const words = WORDS[locale.slice(0, 2).toLowerCase()] ?? ENGLISH;
  return { subject: words.subject(name), text: words.text(code, name) };
}
