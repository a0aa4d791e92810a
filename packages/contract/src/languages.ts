/** The languages in which the platform speaks to people, the one for all others first. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'pl'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language of a locale such as `de-AT`; English for those that are not spoken here. */
export function languageOf(locale: string): Language {
  const [code = ''] = locale.toLowerCase().split(/[-_]/);
  return LANGUAGES.find((language) => language === code) ?? 'en';
}
