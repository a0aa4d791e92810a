import { createHash } from 'node:crypto';
import type { Logger } from '@laurel/lifecycle';
import { Router } from 'express';
import { refuseMethod } from '../refuse-route';

/** Draws the mail that the console tells it, and nothing that anybody else does. */
const SCRIPT = `addEventListener('message', ({ source, data }) => {
  if (source !== parent || typeof data !== 'string') return;
  const mail = new DOMParser().parseFromString(data, 'text/html');
  document.documentElement.lang = mail.documentElement.lang;
  document.head.replaceChildren(...mail.head.childNodes);
  document.body.replaceWith(mail.body);
});`;
const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Mail</title></head>
<body><script>${SCRIPT}</script></body>
</html>
`;
/**
 * A mail brings its styles in its elements, which no policy of ours allows elsewhere. So it is drawn here, in a sandbox
 * of its own origin that runs this one script, reaches nothing, and is framed by the console alone.
 */
const POLICY = [
  "default-src 'none'",
  `script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`,
  "style-src 'unsafe-inline'",
  'img-src https: http: data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-scripts',
].join('; ');

/** Where the console shows how a mail looks. */
export function createMailFrame(logger: Logger): Router {
  const router = Router();
  router
    .route('/console/mail-frame')
    .get((_request, response) => {
      response
        .set({ 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-cache' })
        .type('html')
        .send(PAGE);
    })
    .all(refuseMethod(['GET', 'HEAD', 'OPTIONS'], logger));
  return router;
}
