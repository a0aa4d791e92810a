import type { Logger } from '@laurel/lifecycle';
import express, { type Express } from 'express';
import helmet from 'helmet';
import { dispatch } from './dispatch';
import { answerCors } from './middleware/cors';
import { respondWithError } from './middleware/errors';
import { limitEmbedded } from './middleware/limit-embedded';
import { plainPath } from './middleware/plain-path';
import { nameRequest } from './middleware/request-id';
import { refuseSecondHeaders } from './middleware/single-headers';
import { parseQuery } from './query-text';
import { refuseUnknownRoute } from './refuse-route';
import type { Route } from './routing';
import { type ServeDependencies, serve } from './serve';

export interface AppSettings {
  trustProxy: string;
  corsOrigins: string;
}

interface AppParts {
  routes: readonly Route[];
  pages: express.Router;
  settings: AppSettings;
}

/** The HTTP surface: security headers and CORS, then the route table, then the two "no such thing" answers. */
export function createApp(
  { routes, pages, settings }: AppParts,
  dependencies: ServeDependencies,
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', parseQuery);
  app.set('trust proxy', trusted(settings.trustProxy));
  app.use(nameRequest);
  app.use(refuseSecondHeaders);
  app.use(plainPath);
  // Not every installation has TLS in front: pages must be free to fetch their parts over http.
  app.use(helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } }));
  app.use(limitEmbedded(dependencies.limits, dependencies.logger));
  app.use(answerCors(settings.corsOrigins, dependencies.rpc.passes, dependencies.logger));
  app.use(pages);
  app.use(
    dispatch(routes, (route, reading) => serve(route, dependencies, reading), dependencies.logger),
  );
  app.use(refuseUnknownRoute(dependencies.logger));
  app.use(lastResort(dependencies.logger));
  return app;
}

function trusted(setting: string): number | string {
  return /^\d+$/.test(setting) ? Number(setting) : setting;
}

/** Four parameters make an error handler for express: what fails before a route, e.g. a malformed path. */
function lastResort(logger: Logger): express.ErrorRequestHandler {
  return (error, _request, response, _next) => respondWithError(error, response, logger);
}
