import type { Logger } from '@laurel/lifecycle';
import { Router } from 'express';
import { refuseMethod } from '../refuse-route';
import { asksForPage } from './excuse';
import { sendPlainPage } from './page';
import { visitorLanguage } from './visitor-language';
import { words } from './words';

/** Where people land who know no address: at the root, and at `/portal` without a name. Programs get JSON. */
export function createPlainPages(logger: Logger): Router {
  const pages = Router({ strict: false });
  const readOnly = refuseMethod(['GET', 'HEAD', 'OPTIONS'], logger);
  pages.get('/', (request, response, next) => {
    // A visitor that does not ask for a page is a program that has mistaken the address.
    if (!asksForPage(request)) return next();
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
