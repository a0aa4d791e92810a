import { asCaller } from '../../middleware/caller';
import { bare, data, del, get, message, patch, post, type Route, user } from '../../routing';
import { presentAccount, presentApiToken, presentSession } from './present';
import * as schema from './schema';

const tag = 'User';

/** The caller's own account and API token (part 1, Authentication; part 3, section 2). */
export const userRoutes: Route[] = [
  get('/user/me', {
    stack: user(),
    tag,
    summary: 'Read your account',
    description:
      'Your name, address and preferences, whichever workspace you are in. What you may do in one of them is told by its own `me`.',
    reply: schema.userWithPreferences,
    handle: async ({ rpc, caller }) =>
      data(presentAccount(await rpc.identity.GetUser({ user_id: caller.userId! }))),
  }),
  patch('/user/me', {
    stack: user(),
    tag,
    summary: 'Change your name, preferences or password; a new password ends your other sessions',
    description:
      'Fields that are left out stay. A new password needs current_password beside it; wrong ones count as failed sign-ins.',
    body: schema.updateUser,
    reply: schema.userWithPreferences,
    handle: async ({ rpc, caller, body, ip }) => {
      const request = { ...asCaller(caller), ...body, ip };
      return data(presentAccount(await rpc.identity.UpdateUser(request)));
    },
  }),
  get('/user/api-token', {
    stack: user(),
    tag,
    summary: 'Tell whether you have an API token',
    description:
      'The value itself is never shown again after it was made. A named token with a scope is the better choice for a program.',
    wrapped: false,
    reply: schema.hasToken,
    handle: async ({ rpc, caller }) =>
      bare(await rpc.identity.HasApiToken({ user_id: caller.userId! })),
  }),
  post('/user/api-token/regenerate', {
    stack: user(),
    tag,
    summary:
      'Make your API token anew; it is shown only this once, and the one before stops working',
    description:
      'It acts as you, with all you may do, and does not end by itself. Keep it on a server; a named token can be held to a scope, a workspace and a date.',
    wrapped: false,
    reply: schema.newToken,
    idempotent: false,
    handle: async ({ rpc, caller }) => {
      const { token } = await rpc.identity.RegenerateApiToken(asCaller(caller));
      return bare({ message: 'keep this token, it is not shown again', token });
    },
  }),
  del('/user/api-token', {
    stack: user(),
    tag,
    summary: 'Revoke your API token',
    description:
      'Programs that use it are refused from the next request on. Named tokens are revoked one by one.',
    wrapped: false,
    reply: schema.messageOnly,
    handle: async ({ rpc, caller }) => {
      await rpc.identity.RevokeApiToken({ user_id: caller.userId! });
      return message('the API token is revoked');
    },
  }),
  get('/user/api-tokens', {
    stack: user(),
    tag,
    summary: 'List your named API tokens, newest first',
    description: 'Never the tokens themselves. What has ended is listed for a month.',
    reply: schema.apiTokens,
    handle: async ({ rpc, caller }) => {
      const { tokens } = await rpc.identity.ListNamedTokens({ user_id: caller.userId! });
      return data(tokens.map(presentApiToken));
    },
  }),
  post('/user/api-tokens', {
    stack: user(),
    tag,
    summary: 'Make a named API token with a scope; it is shown only this once',
    description:
      '`read` reads, `configure` sets programmes up, `operate` is for what happens day by day (clients, points, redemptions); each reads, too. `full` is everything in your workspaces. No named token opens what is your own: your account, its tokens and invitations.',
    body: schema.createApiToken,
    status: 201,
    reply: schema.newApiToken,
    idempotent: false,
    handle: async ({ rpc, caller, body }) => {
      const { name, scope, workspace_id, expires_at } = body;
      const { row, token } = await rpc.identity.CreateNamedToken({
        caller: asCaller(caller),
        name,
        scope,
        ...(workspace_id == null ? {} : { workspace_id }),
        ...(expires_at == null ? {} : { expires_at }),
      });
      return data({ ...presentApiToken(row!), token });
    },
  }),
  del('/user/api-tokens/:id', {
    stack: user(),
    tag,
    summary: 'Revoke one of your named API tokens',
    description:
      'Whoever uses it is refused from the next request on, with 401. Revoking it again is answered with 404.',
    wrapped: false,
    reply: schema.messageOnly,
    handle: async ({ rpc, caller, params: { id } }) => {
      await rpc.identity.RevokeNamedToken({ user_id: caller.userId!, token_id: id });
      return message('the API token is revoked');
    },
  }),
  get('/user/sessions', {
    stack: user(),
    tag,
    summary: 'List where you are signed in, last used first',
    description:
      'Each with where and when it was last used, and which one is yours right now. API tokens are listed by themselves.',
    reply: schema.sessions,
    handle: async ({ rpc, caller }) => {
      const { sessions } = await rpc.identity.ListUserSessions({ user_id: caller.userId! });
      return data(sessions.map((session) => presentSession(session, caller.sessionId)));
    },
  }),
  del('/user/sessions', {
    stack: user(),
    tag,
    summary: 'Sign out everywhere else',
    description: 'Ends every session of yours but the one that this call came with, if it did.',
    wrapped: false,
    reply: schema.messageOnly,
    handle: async ({ rpc, caller }) => {
      const keep = caller.sessionId === null ? {} : { keep_session_id: caller.sessionId };
      const request = { user_id: caller.userId!, ...keep };
      const { ended } = await rpc.identity.EndUserSessions(request);
      return message(ended === 1 ? 'one session is ended' : `${ended} sessions are ended`);
    },
  }),
  del('/user/sessions/:id', {
    stack: user(),
    tag,
    summary: 'End one of your sessions',
    description:
      'For a device that was lost: its tokens are worth nothing from the next request on.',
    wrapped: false,
    reply: schema.messageOnly,
    handle: async ({ rpc, caller, params: { id } }) => {
      await rpc.identity.EndUserSession({ user_id: caller.userId!, session_id: id });
      return message('the session is ended');
    },
  }),
];
