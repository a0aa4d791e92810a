import { platform } from '@laurel/errors';
import type { Logger } from '@laurel/lifecycle';
import type { RequestHandler } from 'express';
import findMyWay from 'find-my-way';
import { asWritten } from './middleware/plain-path';
import { refuseMethod } from './refuse-route';
import type { Route } from './routing';

/** Long enough for any token or code in a path; what is longer matches no route. */
const PARAMETER_LENGTH_MAX = 2_048;

/** What answers at one path, by method; a literal segment wins over a parameter whatever the method. */
interface Place {
  path: string;
  handlers: Map<string, RequestHandler>;
  refuse: RequestHandler;
}

/**
 * Finds the row of the route table in a prefix tree, in a time that does not grow with the table. What
 * no row matches goes on to the next handler; a known path with another method is refused.
 */
export function dispatch(
  routes: readonly Route[],
  serve: (route: Route, reading: Route | undefined) => RequestHandler,
  logger: Logger,
): RequestHandler {
  const tree = findMyWay({
    caseSensitive: false,
    ignoreTrailingSlash: true,
    maxParamLength: PARAMETER_LENGTH_MAX,
    onBadUrl: () => undefined,
  });
  for (const [path, rows] of byPath(routes)) {
    const reading = rows.find(({ method }) => method === 'get');
    const handlers = new Map(
      rows.map((row) => [row.method.toUpperCase(), serve(row, reading)] as const),
    );
    const get = handlers.get('GET');
    if (get) handlers.set('HEAD', get);
    const place: Place = {
      path,
      handlers,
      refuse: refuseMethod([...handlers.keys(), 'OPTIONS'], logger),
    };
    // One entry per path whatever its methods: the tree would else pass by a literal that lacks the method.
    tree.on('GET', path, () => undefined, place);
  }
  return (request, response, next) => {
    const found = tree.find('GET', request.path);
    if (!found) return next();
    const place = found.store as Place | null;
    if (!place) return next(platform.invalidPayload({ message: 'the path cannot be read' }));
    const { handlers, refuse } = place;
    request.params = found.params as Record<string, string>;
    request.url = asWritten(place.path, request);
    return (handlers.get(request.method) ?? refuse)(request, response, next);
  };
}

function byPath(routes: readonly Route[]): Map<string, Route[]> {
  const groups = new Map<string, Route[]>();
  for (const route of routes) groups.set(route.path, [...(groups.get(route.path) ?? []), route]);
  return groups;
}
