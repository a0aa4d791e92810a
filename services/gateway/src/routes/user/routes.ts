import { bare, data, del, get, message, patch, post, type Route, user } from '../../routing';
import { presentUser } from '../auth/present';
import * as schema from './schema';

const tag = 'User';

/** The caller's own account and API token (part 1, Authentication; part 3, section 2). */
export const userRoutes: Route[] = [
  get('/user/me', {
    stack: user(),
    tag,
    summary: 'Read your account',
    reply: schema.user,
    handle: async ({ rpc, caller }) =>
      data(presentUser(await rpc.identity.GetUser({ user_id: caller.userId! }))),
  }),
  patch('/user/me', {
    stack: user(),
    tag,
    summary: 'Change your name or password; a new password ends your other sessions',
    body: schema.updateUser,
    reply: schema.user,
    handle: async ({ rpc, caller, body, ip }) => {
      const session = caller.sessionId === null ? {} : { session_id: caller.sessionId };
      const request = { user_id: caller.userId!, ...session, ...body, ip };
      return data(presentUser(await rpc.identity.UpdateUser(request)));
    },
  }),
  get('/user/api-token', {
    stack: user(),
    tag,
    summary: 'Tell whether you have an API token',
    wrapped: false,
    reply: schema.hasToken,
    handle: async ({ rpc, caller }) =>
      bare(await rpc.identity.HasApiToken({ user_id: caller.userId! })),
  }),
  post('/user/api-token/regenerate', {
    stack: user(),
    tag,
    summary: 'Make your API token anew; it is shown this once, the one before it is dead',
    wrapped: false,
    reply: schema.newToken,
    idempotent: false,
    handle: async ({ rpc, caller }) => {
      const session = caller.sessionId === null ? {} : { session_id: caller.sessionId };
      const request = { user_id: caller.userId!, ...session };
      const { token } = await rpc.identity.RegenerateApiToken(request);
      return bare({ message: 'keep this token, it is not shown again', token });
    },
  }),
  del('/user/api-token', {
    stack: user(),
    tag,
    summary: 'Revoke your API token',
    wrapped: false,
    reply: schema.messageOnly,
    handle: async ({ rpc, caller }) => {
      await rpc.identity.RevokeApiToken({ user_id: caller.userId! });
      return message('the API token is revoked');
    },
  }),
];
