// A stand-in for Apple's push service: takes every push at once, remembers whom they were for, and tells them.
import { createSecureServer } from 'node:http2';
import { services } from './built.mjs';
import { listenLocally } from './listen.mjs';

const { makeLocalApple } = services('services/passes/dist/outside/credentials/make-local.js');
export const PASS_TYPE = 'pass.com.example.bench';
export const TEAM = 'BENCH12345';

/**
 * @param {(token: string) => void} [onPush] hears of every push, as the phone with this token is
 * @returns {Promise<{ settings: Record<string, string>, credentials: Record<string, string>, pushed: Set<string>, close: () => void }>}
 */
export async function startApple(onPush) {
  const { certificate, key, issuer } = await makeLocalApple(new Date(), {
    passType: PASS_TYPE,
    team: TEAM,
  });
  /** @type {Set<string>} */
  const pushed = new Set();
  const server = createSecureServer({ cert: certificate, key });
  server.on('stream', (stream, headers) => {
    const token = String(headers[':path']).split('/').at(-1) ?? '';
    pushed.add(token);
    onPush?.(token);
    stream.respond({ ':status': 200 });
    stream.end();
  });
  const port = await listenLocally(server);
  return {
    settings: { APPLE_APNS_URL: `https://127.0.0.1:${port}`, APPLE_APNS_CA: issuer },
    credentials: {
      ...{ certificate, key, wwdr_certificate: issuer },
      ...{ pass_type_identifier: PASS_TYPE, team_identifier: TEAM },
    },
    pushed,
    close: () => server.close(),
  };
}
