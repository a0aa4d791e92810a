import { LANGUAGES, type Language } from '@laurel/contract';
import type { Request } from 'express';

/** The language in which a visitor is told that there is nothing that has one of its own. */
export function visitorLanguage(request: Request): Language {
  return (request.acceptsLanguages([...LANGUAGES]) || 'en') as Language;
}
