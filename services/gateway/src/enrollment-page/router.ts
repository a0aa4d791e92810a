import path from 'node:path';
import { digestToken } from '@laurel/auth-cache';
import { Refusal } from '@laurel/errors';
import { type Logger, runInContext, systemContext } from '@laurel/lifecycle';
import { static as files, type RequestHandler, type Response, Router } from 'express';
import { addressKey } from '../middleware/address';
import type { Admission } from '../middleware/admission';
import { respondWithError } from '../middleware/errors';
import { inTurn } from '../middleware/in-turn';
import type { RateLimits } from '../middleware/rate-limit';
import { requestIdOf } from '../middleware/request-id';
import { visitorLocale } from '../plain-page/visitor-language';
import { readLibrary } from '../published-library';
import { refuseMethod } from '../refuse-route';
import type { RpcClients } from '../rpc-clients';
import { isUuid } from '../schema/types';
import { confirmationGiven, formGiven, type Given, renderShell } from './shell';

const CACHE = 'public, max-age=300';
/** Scripts and calls go to this place alone, styles are no inline ones, and the console alone frames the page: as a preview. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' https: data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

interface Dependencies {
  rpc: Pick<RpcClients, 'passes' | 'identity'>;
  admission: Admission;
  limits: RateLimits;
  logger: Logger;
  requestMsMax: number;
}

/**
 * The enrollment page `/d/:distributionId`, the page `/confirm` behind mailed links, the widget `/embed.js`, and the scripts that they are made of (part 3,
 * section 9). Other sites may load the scripts: they hold nothing that is anybody's.
 */
export function createEnrollmentPage(dependencies: Dependencies): Router {
  const { logger } = dependencies;
  const folder = path.dirname(require.resolve('@laurel/enrollment-page/package.json'));
  const dist = path.join(folder, 'dist');
  const qr = readLibrary(folder, 'index.mjs', ['uqr']);
  const readOnly = refuseMethod(['GET', 'HEAD', 'OPTIONS'], logger);
  const pages = Router();
  const send = (file: string): RequestHandler => {
    return (_request, response) =>
      response.type('js').sendFile(file, { dotfiles: 'allow', cacheControl: false });
  };
  pages
    .route('/embed.js')
    .get(forEverySite, send(path.join(dist, 'embed.js')))
    .all(readOnly);
  pages
    .route('/enrollment/vendor/qr.js')
    .get(forEverySite, (_request, response) => response.type('js').send(qr))
    .all(readOnly);
  pages.use('/enrollment', forEverySite, files(dist, { index: false, cacheControl: false }));
  pages.use('/enrollment', files(path.join(folder, 'styles'), { index: false }));
  pages
    .route('/d/:distributionId')
    .get((request, response) =>
      showPage(dependencies, response, (localeFor) => {
        const id = String(request.params.distributionId).toLowerCase();
        return findPage(dependencies.rpc, id, localeFor);
      }),
    )
    .all(readOnly);
  pages
    .route('/confirm')
    .get((request, response) =>
      showPage(dependencies, response, (localeFor) =>
        findConfirmation(dependencies.rpc, request.query.token, localeFor),
      ),
    )
    .all(readOnly);
  return pages;
}

const forEverySite: RequestHandler = (_request, response, next) => {
  response.set({
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Cache-Control': CACHE,
  });
  next();
};

/** The visitor's locale, or the shop's where we do not speak theirs. */
type LocaleFor = (shop?: string) => string;

async function showPage(
  { admission, limits, logger, requestMsMax }: Dependencies,
  response: Response,
  find: (localeFor: LocaleFor) => Promise<Given>,
): Promise<void> {
  const { req: request } = response;
  const deadlineAt = Date.now() + requestMsMax;
  const context = systemContext({ requestId: requestIdOf(response), deadlineAt });
  try {
    await limits.consume('IP', addressKey(request.ip), response);
    const localeFor: LocaleFor = (shop = 'en') => visitorLocale(request, shop);
    const given = await runInContext(context, () =>
      inTurn(admission, { response }, () => find(localeFor)),
    );
    response
      .status(given.status)
      .set({ 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-store' })
      .vary('Accept-Language')
      .type('html')
      .send(renderShell(given));
  } catch (error) {
    respondWithError(error, response, logger);
  }
}

/** What a mailed link is about. Looking changes nothing, so that scanners of mails may. */
async function findConfirmation(
  rpc: Dependencies['rpc'],
  token: unknown,
  localeFor: LocaleFor,
): Promise<Given> {
  const locale = localeFor();
  if (typeof token !== 'string' || token === '') return { status: 404, page: 'confirm', locale };
  try {
    const door = { token_sha256: digestToken(token) };
    const confirmation = await rpc.passes.GetEnrollmentConfirmation(door);
    const request = { workspace_id: confirmation.workspace!.id };
    const { config } = await rpc.identity.GetPortalConfig(request);
    return confirmationGiven(confirmation, config!, localeFor(confirmation.workspace!.locale));
  } catch (error) {
    const status = error instanceof Refusal ? error.httpStatus : 500;
    if (status === 400) return { status: 404, page: 'confirm', locale };
    if (status === 403) return { status, page: 'confirm', locale };
    throw error;
  }
}

async function findPage(
  rpc: Dependencies['rpc'],
  id: string,
  localeFor: LocaleFor,
): Promise<Given> {
  const locale = localeFor();
  if (!isUuid(id)) return { status: 404, page: 'page', locale };
  try {
    const form = await rpc.passes.GetEnrollmentForm({ distribution_id: id });
    const request = { workspace_id: form.workspace!.id };
    const { config } = await rpc.identity.GetPortalConfig(request);
    return formGiven(form, config!, localeFor(form.workspace!.locale));
  } catch (error) {
    const status = error instanceof Refusal ? error.httpStatus : 500;
    if (status === 403 || status === 404) return { status, page: 'page', locale };
    throw error;
  }
}
