import { data, get, message, mobile, open, post, type Route } from '../../routing';
import { presentMe, presentMobileTokens } from './present';
import * as schema from './schema';

const tag = 'Mobile app';

/** Sessions of the staff app (part 3, section 2.1). */
export const mobileAuthRoutes: Route[] = [
  post('/mobile-app/auth/pair', {
    // Failed pairings are counted by identity.
    stack: open('IP'),
    tag,
    summary: 'Sign a device in with a pairing code',
    body: schema.pair,
    reply: schema.mobileTokens,
    idempotent: false,
    handle: async ({ rpc, body, ip }) =>
      data(presentMobileTokens(await rpc.identity.PairMobile({ ...body, ip }))),
  }),
  post('/mobile-app/auth/refresh', {
    stack: open('IP'),
    tag,
    summary: 'Trade a refresh token of a device for the next pair of tokens',
    body: schema.refresh,
    reply: schema.mobileTokens,
    idempotent: false,
    handle: async ({ rpc, body }) =>
      data(presentMobileTokens(await rpc.identity.RefreshMobile(body))),
  }),
  post('/mobile-app/auth/logout', {
    stack: open('IP'),
    tag,
    summary: 'End the session of a device',
    body: schema.refresh,
    wrapped: false,
    reply: schema.messageOnly,
    handle: async ({ rpc, body }) => {
      await rpc.identity.LogoutMobile(body);
      return message('the device is logged out');
    },
  }),
  get('/mobile-app/me', {
    stack: mobile(),
    tag,
    summary: 'Read who you are in the staff app',
    reply: schema.me,
    handle: async ({ rpc, caller }) =>
      data(presentMe(await rpc.identity.GetMobileMe({ session_id: caller.sessionId! }))),
  }),
];
