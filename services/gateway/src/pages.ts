import path from 'node:path';
import { renderAsyncApi } from '@laurel/events';
import type { Health } from '@laurel/lifecycle';
import { Router, static as serveStatic } from 'express';

const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><title>Laurel API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
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
export function createPages(health: Health, openApi: object): Router {
  const pages = Router();
  const asyncApi = renderAsyncApi();
  const assets = path.dirname(require.resolve('swagger-ui-dist/package.json'));
  pages.get('/health/live', (_request, response) => void response.json({ status: 'live' }));
  pages.get('/health/ready', async (_request, response) => {
    const { ready, down } = await health.readiness();
    response.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'not ready', down });
  });
  pages.get('/openapi.json', (_request, response) => void response.json(openApi));
  pages.get('/asyncapi.json', (_request, response) => void response.json(asyncApi));
  pages.get('/docs', (_request, response) => void response.type('html').send(DOCS_PAGE));
  pages.get('/docs/start.js', (_request, response) => void response.type('js').send(DOCS_SCRIPT));
  pages.use('/docs/assets', serveStatic(assets, { index: false, maxAge: '1d' }));
  return pages;
}
