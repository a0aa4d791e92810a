import { LANGUAGES, type Language, languageOf } from '@laurel/contract';
import type { Request } from 'express';

/** The language of ours that a visitor reads best; the shop's for one who reads none of them, or any. */
export function visitorLanguage(request: Request, shop: Language = 'en'): Language {
  return (request.acceptsLanguages([shop, ...LANGUAGES]) || shop) as Language;
}

/** In which locale a page of a shop speaks to a visitor: with the shop's region where that is their language, too. */
export function visitorLocale(request: Request, shopLocale: string): string {
  const shop = languageOf(shopLocale);
  const language = visitorLanguage(request, shop);
  return language === shop ? shopLocale : language;
}
