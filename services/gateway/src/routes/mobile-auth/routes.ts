import { data, get, message, mobile, open, post, type Route } from '../../routing';
import { presentMe, presentMobileTokens } from './present';
import * as schema from './schema';

const tag = 'Mobile app';

/** Sessions of the staff app (part 3, section 2.1). */
export const mobileAuthRoutes: Route[] = [
  post('/mobile-app/auth/pair', {
    // Failed pairings are counted by identity.
    stack: open('SIGN_IN'),
    tag,
    summary: 'Sign a device in with a pairing code',
    description:
      'The code is shown or sent by the team and is good once, for ten minutes and five tries. The answer has the tokens of the device; ten wrong tries a minute from one place are answered, then 429.',
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
    description:
      'Each refresh token is good once; one that comes a second time ends the session. A 401 says by its `reason` why the device may not go on: with `app_switched_off` or `app_user_barred` the same token is good again later, with `device_signed_out` the device has to be paired anew.',
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
    description:
      'The device has to be paired again afterwards. Ending it twice is answered the same; a token that was never given out is refused with 401.',
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
    description:
      'The person, their role, the workspace and this session. Answered with 401 once the session is revoked, the person suspended or the app switched off.',
    reply: schema.me,
    handle: async ({ rpc, caller }) =>
      data(presentMe(await rpc.identity.GetMobileMe({ session_id: caller.sessionId! }))),
  }),
];
