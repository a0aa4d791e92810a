import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Health, healthAnswer, type Logger } from '@laurel/lifecycle';
import { type Request, type Response, Router } from 'express';
import { createDocument, type Send } from './compressed';
import { icon } from './plain-page/icon';
import { refuseMethod } from './refuse-route';
import { readApiDocument } from './static-page/assets';

const SWAGGER_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><title>Laurel API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="${icon('L', '#1F6F54')}">
<link rel="stylesheet" href="/docs/swagger/swagger-ui.css">
</head>
<body>
<div id="api"></div>
<script src="/docs/swagger/swagger-ui-bundle.js"></script>
<script src="/docs/swagger/start.js"></script>
</body>
</html>
`;
const SWAGGER_SCRIPT = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#api', deepLinking: true, filter: true, tryItOutEnabled: true, docExpansion: 'none' });`;

/** Health, the API documents and the page that tries them: everything local, nothing fetched from elsewhere. */
export function createPages(health: Health, logger: Logger): Router {
  const pages = Router();
  const assets = path.dirname(require.resolve('swagger-ui-dist/package.json'));
  const asset = (type: string, name: string) =>
    createDocument(type, readFileSync(path.join(assets, name)), 'public, max-age=86400');
  const readable: Record<string, Send> = {
    '/health/live': tell(health),
    '/health/ready': tell(health),
    '/health/dependencies': tell(health),
    // Made once: each is large, and everybody may ask for it as often as they like.
    '/openapi.json': createDocument('json', readApiDocument('openapi.json')),
    '/asyncapi.json': createDocument('json', readApiDocument('asyncapi.json')),
    '/docs/swagger': createDocument('html', SWAGGER_PAGE),
    '/docs/swagger/start.js': createDocument('js', SWAGGER_SCRIPT),
    '/docs/swagger/swagger-ui.css': asset('css', 'swagger-ui.css'),
    '/docs/swagger/swagger-ui-bundle.js': asset('js', 'swagger-ui-bundle.js'),
  };
  for (const [place, answer] of Object.entries(readable)) {
    pages
      .route(place)
      .get(answer)
      .all(refuseMethod(['GET', 'HEAD', 'OPTIONS'], logger));
  }
  return pages;
}

function tell(health: Health): Send {
  return async (request: Request, response: Response): Promise<void> => {
    const { status, body } = (await healthAnswer(health, request.path))!;
    response.status(status).json(body);
  };
}
