import { LANGUAGES, type Language } from '@laurel/contract';
import type { Logger } from '@laurel/lifecycle';
import { type Request, Router } from 'express';
import { refuseMethod } from '../refuse-route';
import { sendPlainPage } from './page';
import { words } from './words';

/** The language in which a visitor is told that there is nothing that has one of its own. */
export function visitorLanguage(request: Request): Language {
  return (request.acceptsLanguages([...LANGUAGES]) || 'en') as Language;
}

/** Where people land who know no address: at the root, and at `/portal` without a name. Programs are told as everywhere. */
export function createPlainPages(logger: Logger): Router {
  const pages = Router({ strict: false });
  const readOnly = refuseMethod(['GET', 'HEAD', 'OPTIONS'], logger);
  pages.get('/', (request, response, next) => {
    // Whoever does not ask for a page is a program that has mistaken the address.
    if (!/\btext\/html\b/.test(request.get('accept') ?? '')) return next();
    const language = visitorLanguage(request);
    const { docs, signIn, ...sentence } = words[language].home;
    const links = [
      { href: '/sign-in', words: signIn },
      { href: '/docs', words: docs },
    ];
    sendPlainPage(response, { status: 200, language, ...sentence, links });
  });
  pages
    .route('/portal')
    .get((request, response) => {
      const language = visitorLanguage(request);
      sendPlainPage(response, { status: 404, language, ...words[language].noPortal });
    })
    .all(readOnly);
  return pages;
}
