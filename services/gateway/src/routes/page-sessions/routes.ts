import { platform } from '@laurel/errors';
import type { identity } from '@laurel/rpc';
import {
  type Answer,
  data,
  del,
  get,
  message,
  open,
  page,
  post,
  type Route,
  withHeaders,
} from '../../routing';
import { deviceOf } from '../auth/device';
import { ACCOUNT_COOKIE, forgetCookie, readCookie, setCookie, TILL_COOKIE } from './cookie';
import { presentPageSession, presentTillSession } from './present';
import * as schema from './schema';

const ACCOUNTS = 'Authentication';
const MOBILE = 'Mobile app';
const KEPT = 'The refresh token is a cookie that no script can read.';

const keptSession = (session: identity.PageSession, publicUrl: string): Answer => {
  const cookie = { value: session.tokens!.refresh_token, seconds: session.refresh_seconds };
  const headers = setCookie(ACCOUNT_COOKIE, publicUrl, cookie);
  return withHeaders(data(presentPageSession(session)), headers);
};

const keptTill = (session: identity.MobilePageSession, publicUrl: string): Answer => {
  const cookie = { value: session.tokens!.refresh_token, seconds: session.refresh_seconds };
  const headers = setCookie(TILL_COOKIE, publicUrl, cookie);
  return withHeaders(data(presentTillSession(session)), headers);
};

function required(token: string | undefined): string {
  if (token === undefined) throw platform.invalidToken({ message: 'there is no session' });
  return token;
}

/** Ends a session as far as there is one: the caller is signed out in any case. */
async function endedOrGone(ending: Promise<unknown>): Promise<void> {
  await ending.catch((error: { httpStatus?: number }) => {
    if (error.httpStatus !== 401) throw error;
  });
}

/** Sessions of our own pages, by cookie (part 4, section 12). */
export const pageSessionRoutes: Route[] = [
  post('!/auth/session', {
    stack: page('SIGN_IN'),
    tag: ACCOUNTS,
    summary: 'Sign in from a page of the platform',
    description: KEPT,
    body: schema.login,
    reply: schema.session,
    idempotent: false,
    handle: async ({ rpc, body, ip, request, publicUrl }) => {
      const login = { ...body, ip, ...deviceOf(request) };
      return keptSession(await rpc.identity.OpenPageSession(login), publicUrl);
    },
  }),
  post('!/auth/session/refresh', {
    stack: page('SIGN_IN'),
    tag: ACCOUNTS,
    summary: 'Go on with the session of this browser',
    description: `${KEPT} One that was used is forgiven for 10 seconds and answers the same successor.`,
    reply: schema.session,
    idempotent: false,
    handle: async ({ rpc, request, publicUrl }) => {
      const refresh_token = required(readCookie(request, ACCOUNT_COOKIE, publicUrl));
      return keptSession(await rpc.identity.RefreshPageSession({ refresh_token }), publicUrl);
    },
  }),
  del('!/auth/session', {
    stack: page(),
    tag: ACCOUNTS,
    summary: 'End the session of this browser',
    description: 'Clears the cookie of the page as well. Called by pages of the platform only.',
    wrapped: false,
    reply: schema.messageOnly,
    handle: async ({ rpc, request, publicUrl }) => {
      const refresh_token = readCookie(request, ACCOUNT_COOKIE, publicUrl);
      if (refresh_token !== undefined) await endedOrGone(rpc.identity.Logout({ refresh_token }));
      return withHeaders(message('you are logged out'), forgetCookie(ACCOUNT_COOKIE, publicUrl));
    },
  }),
  get('!/auth/options', {
    stack: open('IP'),
    tag: ACCOUNTS,
    summary: 'Read what a sign-in page may offer',
    description:
      'Whether accounts can be opened, and which identity providers are set up. Open to everybody, so that a page can ask before it shows a form.',
    reply: schema.options,
    handle: async ({ rpc }) => data(await rpc.identity.GetAuthOptions({})),
  }),
  post('/mobile-app/session', {
    stack: page('SIGN_IN'),
    tag: MOBILE,
    summary: 'Sign a till page in with a pairing code',
    description: KEPT,
    body: schema.pair,
    reply: schema.tillSession,
    idempotent: false,
    handle: async ({ rpc, body, ip, publicUrl }) =>
      keptTill(await rpc.identity.PairMobilePage({ ...body, ip }), publicUrl),
  }),
  post('/mobile-app/session/refresh', {
    stack: page('SIGN_IN'),
    tag: MOBILE,
    summary: 'Go on with the session of this till page',
    description: `${KEPT} One that was used is forgiven for 10 seconds and answers the same successor. A 401 says by its \`reason\` why the page may not go on: with \`app_switched_off\` or \`app_user_barred\` the cookie is good again later, with \`device_signed_out\` the phone has to be paired anew.`,
    reply: schema.tillSession,
    idempotent: false,
    handle: async ({ rpc, request, publicUrl }) => {
      const refresh_token = required(readCookie(request, TILL_COOKIE, publicUrl));
      return keptTill(await rpc.identity.RefreshMobilePage({ refresh_token }), publicUrl);
    },
  }),
  del('/mobile-app/session', {
    stack: page(),
    tag: MOBILE,
    summary: 'End the session of this till page',
    description:
      'Clears the cookie of the till page as well. Called by pages of the platform only.',
    wrapped: false,
    reply: schema.messageOnly,
    handle: async ({ rpc, request, publicUrl }) => {
      const refresh_token = readCookie(request, TILL_COOKIE, publicUrl);
      if (refresh_token !== undefined)
        await endedOrGone(rpc.identity.LogoutMobile({ refresh_token }));
      return withHeaders(message('the device is logged out'), forgetCookie(TILL_COOKIE, publicUrl));
    },
  }),
];
