import type { Logger } from '@laurel/lifecycle';
import cors from 'cors';
import express, { type Express } from 'express';
import helmet from 'helmet';
import { respondWithError } from './middleware/errors';
import { nameRequest } from './middleware/request-id';
import type { Route } from './routing';
import { bySpecificity } from './routing/route';
import { refuseMethod, refuseUnknownRoute, type ServeDependencies, serve } from './serve';

const EXPOSED_HEADERS = [
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Idempotency-Replayed',
  'Content-Disposition',
];

export interface AppSettings {
  trustProxy: string;
  corsOrigins: string;
}

/** The HTTP surface: security headers and CORS, then the route table, then the two "no such thing" answers. */
export function createApp(
  routes: readonly Route[],
  pages: express.Router,
  settings: AppSettings,
  dependencies: ServeDependencies,
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', trusted(settings.trustProxy));
  app.use(nameRequest);
  // Not every installation has TLS in front: pages must not be told to fetch their parts over https.
  app.use(helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } }));
  app.use(
    cors({
      origin: settings.corsOrigins === '*' ? '*' : settings.corsOrigins.split(','),
      exposedHeaders: EXPOSED_HEADERS,
      maxAge: 600,
    }),
  );
  app.use(pages);
  for (const [path, group] of byPath([...routes].sort(bySpecificity))) {
    for (const route of group) app[route.method](path, serve(route, dependencies));
    app.all(path, refuseMethod(allowedMethods(group), dependencies.logger));
  }
  app.use(refuseUnknownRoute(dependencies.logger));
  app.use(lastResort(dependencies.logger));
  return app;
}

/** Routes of one path, whatever its parameters are called. */
function byPath(routes: readonly Route[]): Map<string, Route[]> {
  const groups = new Map<string, Route[]>();
  for (const route of routes) groups.set(route.path, [...(groups.get(route.path) ?? []), route]);
  return groups;
}

function allowedMethods(routes: readonly Route[]): string[] {
  const methods = new Set(routes.map((route) => route.method.toUpperCase()));
  return [...methods, ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'];
}

function trusted(setting: string): number | string {
  return /^\d+$/.test(setting) ? Number(setting) : setting;
}

/** Four parameters make an error handler for express: what fails before a route, e.g. a malformed path. */
function lastResort(logger: Logger): express.ErrorRequestHandler {
  return (error, request, response, _next) =>
    respondWithError(error, request.path, response, logger);
}
