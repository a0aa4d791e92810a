import { LANGUAGES, type Language } from '@laurel/contract';

/** The language of a locale such as `de-AT`; English for those that are not spoken here. */
export function languageOf(locale: string): Language {
  const [code = ''] = locale.toLowerCase().split(/[-_]/);
  return LANGUAGES.find((language) => language === code) ?? 'en';
}
