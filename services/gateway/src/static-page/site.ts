import type { Logger } from '@laurel/lifecycle';
import { type RequestHandler, Router } from 'express';
import { refuseMethod } from '../refuse-route';
import type { PageFile } from './assets';
import type { PagePlace } from './places';
import { sendFile } from './send-file';

const PAGE = '.html';
/** Programs look for it at the root of a host (llmstxt.org), wherever the pages stand. */
const FOR_PROGRAMS = 'llms.txt';

/**
 * Many pages that were built to files, the same for everybody: `words.html` stands at `words` below the place, `index.html` at
 * the place itself, and every other file under its own name.
 */
export function createStaticSite(
  place: Omit<PagePlace, 'addresses'>,
  files: ReadonlyMap<string, PageFile>,
  logger: Logger,
): Router {
  const router = Router();
  const readOnly = refuseMethod(['GET', 'HEAD', 'OPTIONS'], logger);
  const sendPage: (file: PageFile) => RequestHandler = (file) => (request, response) => {
    response.set({
      'Content-Security-Policy': place.policy,
      'Permissions-Policy': place.permissions,
      'Content-Language': 'en',
    });
    sendFile(request, response, file);
  };
  for (const file of files.values()) {
    const address = `${place.base}${file.name}`.replace(/(\/index)?\.html$/, '');
    const send: RequestHandler = file.name.endsWith(PAGE)
      ? sendPage(file)
      : (request, response) => sendFile(request, response, file);
    router.route(address).get(send).all(readOnly);
    if (file.name === FOR_PROGRAMS) router.route(`/${FOR_PROGRAMS}`).get(send).all(readOnly);
  }
  return router;
}
