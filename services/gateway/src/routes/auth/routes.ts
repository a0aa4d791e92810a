import { bare, data, message, open, post, type Route, user } from '../../routing';
import { deviceOf } from './device';
import { presentSignedOn, presentUser } from './present';
import * as schema from './schema';

const tag = 'Authentication';

/** Accounts and sessions (part 1, Authentication; part 3, section 2; part 2, Single sign-on). */
export const authRoutes: Route[] = [
  post('!/auth/register', {
    stack: open('IP'),
    tag,
    summary: 'Open an account',
    description:
      'Mails a link that verifies the address; a mailed invitation_token has done so already, and admits where registration is closed.',
    body: schema.register,
    status: 201,
    reply: schema.user,
    handle: async ({ rpc, body }) => data(presentUser(await rpc.identity.Register(body))),
  }),
  post('!/auth/login', {
    // Failed logins are counted by identity: for the account, the address, and both together. As many as an address may
    // have come through here, and take from others there nothing of what other routes allow (part 4, sections 1 and 12).
    stack: open('SIGN_IN'),
    tag,
    summary: 'Sign in',
    description:
      'For people who sign in by e-mail address and password; programs use an API token. The access token is good for 15 minutes, the refresh token for seven days. Ten wrong tries a minute are answered, then 429.',
    body: schema.login,
    reply: schema.tokens,
    idempotent: false,
    handle: async ({ rpc, body, ip, request }) =>
      data(await rpc.identity.Login({ ...body, ip, ...deviceOf(request) })),
  }),
  post('!/auth/refresh', {
    stack: open('IP'),
    tag,
    summary: 'Trade a refresh token for the next pair of tokens',
    description:
      'Each refresh token is good once. One that comes a second time ends every token that descends from it, since somebody else may hold it.',
    body: schema.refresh,
    reply: schema.tokens,
    idempotent: false,
    handle: async ({ rpc, body }) => data(await rpc.identity.Refresh(body)),
  }),
  post('!/auth/logout', {
    stack: open('IP'),
    tag,
    summary: 'End the session of a refresh token',
    description:
      'Its access tokens end with it. Ending it twice is answered the same; a token that was never given out is refused with 401.',
    body: schema.refresh,
    wrapped: false,
    reply: schema.messageOnly,
    handle: async ({ rpc, body }) => {
      await rpc.identity.Logout(body);
      return message('you are logged out');
    },
  }),
  post('!/auth/password/request', {
    stack: open('IP'),
    tag,
    summary: 'Mail a link that resets the password, if the address has an account',
    description:
      'Always answers 200, so that nobody learns who has an account. The link is good for an hour and for one use.',
    body: schema.requestReset,
    wrapped: false,
    reply: schema.messageOnly,
    handle: async ({ rpc, body, ip }) => {
      await rpc.identity.RequestPasswordReset({ ...body, ip });
      return message('if the address has an account, a mail is on its way');
    },
  }),
  post('!/auth/password/reset', {
    stack: open('IP'),
    tag,
    summary: 'Set a new password by a mailed link; ends every session',
    description:
      'Takes the token of the mailed link and a password of at least ten characters that is not among the common ones. API tokens stay as they are.',
    body: schema.resetPassword,
    wrapped: false,
    reply: schema.messageOnly,
    handle: async ({ rpc, body }) => {
      await rpc.identity.ResetPassword(body);
      return message('the password is changed');
    },
  }),
  post('!/auth/verify-email', {
    stack: open('IP'),
    tag,
    summary: 'Verify an e-mail address by the mailed link',
    description:
      'The token of the link that registration mails; it is good for 48 hours and one use. Invitations are listed for proven addresses only.',
    body: schema.verifyEmail,
    wrapped: false,
    reply: schema.messageOnly,
    handle: async ({ rpc, body }) => {
      await rpc.identity.VerifyEmail(body);
      return message('the e-mail address is verified');
    },
  }),
  post('!/auth/verify-email/resend', {
    stack: user(),
    tag,
    summary: 'Mail the link that verifies your address anew; the one before it ends',
    description: 'At most five mails an hour. The same answer for an address that is verified.',
    wrapped: false,
    reply: schema.messageOnly,
    handle: async ({ rpc, caller }) => {
      await rpc.identity.ResendVerification({ user_id: caller.userId! });
      return message('unless the address is verified, a mail is on its way');
    },
  }),
  post('/auth/sso', {
    stack: open('IP'),
    tag,
    summary: "Sign in with an identity provider's token",
    description:
      'Takes the identity token that Google gave the browser. Finds the account of the address or opens one; 503 where the deployment has no provider set up. The answer is not wrapped in data.',
    body: schema.signOn,
    wrapped: false,
    reply: schema.signedOn,
    idempotent: false,
    handle: async ({ rpc, body }) => bare(presentSignedOn(await rpc.identity.SignOn(body))),
  }),
];
