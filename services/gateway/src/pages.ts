import path from 'node:path';
import { renderAsyncApi } from '@laurel/events';
import { type Health, healthAnswer, type Logger } from '@laurel/lifecycle';
import { type Response, Router, static as serveStatic } from 'express';
import { icon } from './plain-page/icon';
import { refuseMethod } from './serve';

const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><title>Laurel API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="${icon('L', '#1F6F54')}">
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
</head>
<body>
<div id="api"></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;
const DOCS_SCRIPT = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#api', deepLinking: true, filter: true, tryItOutEnabled: true });`;

/** Health, the API documents and their browsable page: everything local, nothing fetched from elsewhere. */
export function createPages(health: Health, openApi: object, logger: Logger): Router {
  const pages = Router();
  // Written once: each is large, and everybody may ask for it as often as they like.
  const openApiText = JSON.stringify(openApi);
  const asyncApiText = JSON.stringify(renderAsyncApi());
  const assets = path.dirname(require.resolve('swagger-ui-dist/package.json'));
  const readable: Record<string, (response: Response, place: string) => unknown> = {
    '/health/live': tell(health),
    '/health/ready': tell(health),
    '/health/dependencies': tell(health),
    '/openapi.json': (response) => response.type('json').send(openApiText),
    '/asyncapi.json': (response) => response.type('json').send(asyncApiText),
    '/docs': (response) => response.type('html').send(DOCS_PAGE),
    '/docs/start.js': (response) => response.type('js').send(DOCS_SCRIPT),
  };
  for (const [place, answer] of Object.entries(readable)) {
    pages
      .route(place)
      .get(async (_request, response) => void (await answer(response, place)))
      .all(refuseMethod(['GET', 'HEAD', 'OPTIONS'], logger));
  }
  pages.use('/docs/assets', serveStatic(assets, { index: false, maxAge: '1d' }));
  return pages;
}

function tell(health: Health) {
  return async (response: Response, place: string): Promise<void> => {
    const { status, body } = (await healthAnswer(health, place))!;
    response.status(status).json(body);
  };
}
