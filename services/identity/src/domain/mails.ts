import { type Brand, type Language, type Letter, languageOf } from '@laurel/contract';
import { mailWords } from './mail-words';

/** In whose name a mail is written, and in which language. */
export interface Writer {
  language: Language;
  brand: Brand;
}

/** The language that the holder of an account has chosen. */
export const languageOfAccount = (user: { preferences?: { language?: string | null } }): Language =>
  languageOf(user.preferences?.language ?? '');

/** @param hasEarlierToken whether the account has an API token that somebody else may have made: a new password leaves it alone, the next membership ends it */
export function resetMail(language: Language, url: string, hasEarlierToken: boolean): Letter {
  const words = mailWords[language];
  return {
    language,
    subject: words.resetSubject,
    parts: [
      { text: words.resetLead },
      { words: words.resetLink, url, button: words.choosePassword, isMain: true },
      ...(hasEarlierToken ? [{ text: words.earlierToken }] : []),
      { text: words.notYou },
    ],
  };
}

/** To an address that somebody named as their own. */
export function verificationMail(language: Language, url: string): Letter {
  const words = mailWords[language];
  return {
    language,
    subject: words.verifySubject,
    parts: [
      { text: words.verifyLead },
      { words: words.verifyLink, url, button: words.verifyButton, isMain: true },
      { text: words.verifyNotYou },
    ],
  };
}

/** To the first person of an installation. */
export function firstAccountMail(url: string): Letter {
  const words = mailWords.en;
  return {
    language: 'en',
    subject: words.firstSubject,
    parts: [
      { text: words.firstLead },
      { words: words.firstLink, url, button: words.choosePassword, isMain: true },
      { text: words.firstAfter },
    ],
  };
}

/** To the admins whose systems hear nothing any more until they act. */
export function webhookDisabledMail(
  { language, brand }: Writer,
  { url, reason }: { url: string; reason: 'gone' | 'failing' },
): Letter {
  const words = mailWords[language];
  const why = reason === 'gone' ? words.webhookGone : words.webhookFailing;
  return {
    language,
    brand,
    subject: words.webhookSubject(brand.name),
    parts: [{ text: words.webhookLead(brand.name, url, why) }, { text: words.webhookNext }],
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
export function companyMail(language: Language, company: readonly Company[]): Letter {
  const words = mailWords[language];
  return {
    language,
    subject: words.companySubject,
    parts: [
      { text: words.companyLead },
      ...company.flatMap(({ workspaceName, people, count }) => [
        { text: `${workspaceName}:` },
        {
          list: [
            ...people,
            ...(count > people.length ? [words.companyMore(count - people.length)] : []),
          ],
        },
      ]),
      { text: words.companyNext },
    ],
  };
}
