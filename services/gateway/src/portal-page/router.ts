import { randomBytes } from 'node:crypto';
import { type Language, languageOf } from '@laurel/contract';
import { Refusal } from '@laurel/errors';
import { type Logger, newId, runInContext, systemContext } from '@laurel/lifecycle';
import { type Response, Router } from 'express';
import { addressKey } from '../middleware/address';
import type { Admission } from '../middleware/admission';
import { inTurn } from '../middleware/in-turn';
import type { RateLimits } from '../middleware/rate-limit';
import { requestIdOf } from '../middleware/request-id';
import { sendPlainPage } from '../plain-page/page';
import { visitorLanguage, visitorLocale } from '../plain-page/visitor-language';
import { words } from '../plain-page/words';
import { refuseMethod } from '../refuse-route';
import type { RpcClients } from '../rpc-clients';
import type { PageAssets } from './assets';
import { renderShell } from './shell';

const TYPES: Record<string, string> = { js: 'text/javascript', css: 'text/css' };

interface Dependencies {
  rpc: Pick<RpcClients, 'identity'>;
  admission: Admission;
  limits: RateLimits;
  logger: Logger;
  requestMsMax: number;
  assets: PageAssets;
}

/** The client portal as a page, `/portal/:slug`, and the files it is made of (part 3, section 9). */
export function createPortalPage({
  rpc,
  admission,
  limits,
  logger,
  requestMsMax,
  assets,
}: Dependencies): Router {
  const page = Router();

  async function show(slug: string, ip: string, response: Response): Promise<void> {
    await limits.consume('IP', ip, response);
    const portal = await rpc.identity.FindPortal({ slug: slug.toLowerCase() });
    const nonce = randomBytes(16).toString('base64');
    response.set('Content-Security-Policy', policy(nonce)).set('Cache-Control', 'no-store');
    const default_locale = visitorLocale(response.req, portal.default_locale);
    const page = renderShell({ ...portal, default_locale }, assets, nonce);
    response.vary('Accept-Language').type('html').send(page);
  }

  page
    .route('/portal/:slug')
    .get((request, response) => {
      const { slug } = request.params;
      const deadlineAt = Date.now() + requestMsMax;
      const requestId = requestIdOf(response);
      const context = systemContext({ requestId, operationId: newId(), deadlineAt });
      return runInContext(context, () =>
        inTurn(admission, { response }, () => show(slug, addressKey(request.ip), response)),
      ).catch((error: unknown) => excuse(error, response, logger));
    })
    .all(refuseMethod(['GET', 'HEAD', 'OPTIONS'], logger));

  page.get('/portal/assets/:version/*file', (request, response, next) => {
    const { version, file } = request.params as unknown as { version: string; file: string[] };
    const name = file.join('/');
    const content = assets.files.get(name);
    if (!content) return next();
    // During an upgrade a page may ask for its files where an older or newer gateway answers.
    const isSame = version === assets.version;
    response.set('Cache-Control', isSame ? 'public, max-age=31536000, immutable' : 'no-cache');
    response.type(TYPES[name.split('.').at(-1)!]!).send(content);
  });
  return page;
}

/**
 * Only what the gateway itself serves runs and styles the page; the one style element carries the nonce.
 * Pictures (logo, rewards) may come from where the shop keeps them.
 */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: https: http:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ');
}

/** What stands at the address of a portal that is not there, or cannot be shown at the moment. */
function excuse(error: unknown, response: Response, logger: Logger): void {
  const status = error instanceof Refusal ? error.httpStatus : 500;
  if (status === 500) logger.error({ err: error }, 'the portal page could not be shown');
  if (error instanceof Refusal && error.retryAfterSeconds !== undefined)
    response.set('Retry-After', String(error.retryAfterSeconds));
  const language = visitorLanguage(response.req, shopLanguage(error));
  const { noPortal, unavailable } = words[language];
  sendPlainPage(response, { status, language, ...(status === 404 ? noPortal : unavailable) });
}

/** A shop that has its portal switched off is known; where there is none at all, only the visitor's language is. */
function shopLanguage(error: unknown): Language | undefined {
  const locale = error instanceof Refusal ? error.problems[0]?.extensions?.locale : undefined;
  return typeof locale === 'string' ? languageOf(locale) : undefined;
}
