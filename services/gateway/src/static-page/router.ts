import { randomBytes } from 'node:crypto';
import type { Logger } from '@laurel/lifecycle';
import { type RequestHandler, Router } from 'express';
import { visitorLanguage } from '../plain-page/visitor-language';
import { refuseMethod } from '../refuse-route';
import type { BuiltPage } from './assets';
import type { PagePlace } from './places';
import { HASHED, sendFile } from './send-file';
import { renderShell } from './shell';

const READ = ['GET', 'HEAD', 'OPTIONS'];

/** A page that was built to files: its frame at its addresses, and the files below its own place. */
export function createStaticPage(place: PagePlace, page: BuiltPage, logger: Logger): Router {
  const router = Router();
  const show: RequestHandler = (request, response) => {
    const language = visitorLanguage(request);
    const nonce = randomBytes(16).toString('base64');
    response
      .set({
        'Content-Security-Policy': place.policy.replace('{nonce}', nonce),
        'Permissions-Policy': place.permissions,
        'Cache-Control': 'no-store',
        'Content-Language': language,
        Vary: 'Accept-Language',
      })
      .type('html')
      .send(renderShell(page, language, nonce));
  };
  // Before the addresses: where a page has every address below its base, a file that is gone must not be the frame.
  router.get(`${place.base}*file`, (request, response, next) => {
    const name = (request.params as unknown as { file: string[] }).file.join('/');
    const file = page.files.get(name);
    if (!file) return next(HASHED.test(name) ? 'router' : undefined);
    sendFile(request, response, file);
  });
  for (const address of place.addresses)
    router.route(address).get(show).all(refuseMethod(READ, logger));
  return router;
}
