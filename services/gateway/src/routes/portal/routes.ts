import { invalidField } from '@laurel/errors';
import { data, get, message, open, portal, post, type Route } from '../../routing';
import type { RpcClients } from '../../rpc-clients';
import { messageOnly } from '../auth/schema';
import { catalogueRoutes } from './catalogue-routes';
import * as present from './present';
import * as schema from './schema';

const tag = 'Portal';
/** All there is: no points live longer. */
const EXPIRING_DAYS = 36_500;

/** The ways into the portal: open to anybody, each within its limit. */
const entrance: Route[] = [
  get('/public/loyalty/portal-config', {
    stack: open(),
    tag,
    summary: 'How the portal of a workspace looks; 404 while it is switched off',
    description:
      'Name, colours, words and switches, which the page needs before anybody signs in. Open to everybody, so there is nothing of clients in it.',
    query: schema.findPortal,
    reply: schema.publicPortalConfig,
    handle: async ({ rpc, query }) =>
      data((await rpc.identity.FindPortal({ slug: query.workspace_slug })).config),
  }),
  post('/public/loyalty/session', {
    stack: open('PORTAL_SESSION'),
    tag,
    summary: 'Sign a client in by id, or by the token of a portal link',
    description: 'With login_mode code an id alone is 403: it proves nothing.',
    body: schema.openSession,
    reply: schema.session,
    idempotent: false,
    handle: async ({ rpc, body }) => data(await rpc.identity.OpenPortalSession(body)),
  }),
  post('/public/loyalty/login/request', {
    stack: open(),
    tag,
    summary: 'Have a sign-in code sent by e-mail',
    description: 'The same answer whether or not the address is known. A code lives 10 minutes.',
    body: schema.requestCode,
    reply: schema.sent,
    handle: async ({ rpc, body, ip }) => {
      await rpc.identity.RequestPortalCode({ ...body, ip });
      return data({ sent: true });
    },
  }),
  post('/public/loyalty/login/verify', {
    stack: open('PORTAL_SESSION'),
    tag,
    summary: 'Sign in with the code that was sent',
    description: 'A code works once and dies after five tries.',
    body: schema.verifyCode,
    reply: schema.session,
    idempotent: false,
    handle: async ({ rpc, body, ip }) => data(await rpc.identity.VerifyPortalCode({ ...body, ip })),
  }),
];

/** What clients see of themselves, and what they may do to it. */
const person: Route[] = [
  post('/public/loyalty/logout', {
    stack: portal(),
    tag,
    summary: 'End the session; its token is worth nothing from the next request on',
    description: 'The link in a mail opens a new one.',
    wrapped: false,
    reply: messageOnly,
    handle: async ({ rpc, workspaceId, caller }) => {
      const session = { workspace_id: workspaceId, session_id: caller.sessionId! };
      await rpc.identity.EndPortalSession(session);
      return message('you are signed out');
    },
  }),
  get('/public/loyalty/me', {
    stack: portal(),
    tag,
    summary: 'The client who is signed in',
    description:
      'Name, addresses, custom fields and consent, for the page to greet by and to fill in forms.',
    reply: schema.me,
    handle: async ({ rpc, workspaceId, caller }) => {
      const client = { workspace_id: workspaceId, id: caller.userId! };
      return data(present.presentMe(await rpc.clients.GetClient(client)));
    },
  }),
  post('/public/loyalty/marketing-consent', {
    stack: portal(),
    tag,
    summary: 'Give or withdraw consent to marketing',
    description: 'Saying again what holds already changes nothing, not even the time of it.',
    body: schema.setConsent,
    reply: schema.consent,
    handle: async ({ rpc, workspaceId, caller, body }) => {
      const { marketing_consent } = await rpc.clients.UpdateClient({
        workspace_id: workspaceId,
        id: caller.userId!,
        marketing_consent: body.consent,
        change_source: 'portal',
      });
      return data({ marketing_consent });
    },
  }),
  post('/public/loyalty/erase', {
    stack: portal({ limit: 'PORTAL_ERASE', deletedMayCall: true }),
    tag,
    summary: 'Erase the client who is signed in; there is no way back',
    description:
      'Asks for the stored e-mail address; where there is none, for the stored phone number; where there is neither, for confirm_erase. A mismatch is 400 verification_failed, whatever was wrong.',
    body: schema.erase,
    reply: schema.erased,
    handle: async ({ rpc, workspaceId, caller, body }) => {
      const client = { workspace_id: workspaceId, id: caller.userId! };
      await rpc.clients.EraseClient({ ...client, ...body });
      return data({ success: true });
    },
  }),
];

const programme: Route[] = [
  get('/public/loyalty/balance', {
    stack: portal(),
    tag,
    summary: 'Balances of all active wallet types, the default first',
    description:
      'What the client can spend and what is still on hold. wallet_type_code picks one of them, which is none where the type is switched off; a code that the workspace does not have is 400.',
    query: schema.getBalance,
    reply: schema.balances,
    handle: async ({ rpc, workspaceId, caller, query }) => {
      const client = { workspace_id: workspaceId, client_id: caller.userId! };
      const { wallet_type_code: code } = query;
      const [wallets] = await Promise.all([
        rpc.ledger.GetWallets(client),
        code === undefined ? null : requireWalletType(rpc, workspaceId, code),
      ]);
      return data(present.presentBalances(wallets, code));
    },
  }),
  get('/public/loyalty/statement', {
    stack: portal(),
    tag,
    summary: 'What came and went on the account of the client, newest first, and what expires when',
    description:
      'Pages by `cursor`, twenty entries unless limit says otherwise. wallet_type_code picks another wallet. The descriptions are those that staff, rules and tills gave, the reasons of adjustments and cancels among them.',
    query: schema.listStatement,
    reply: schema.statement,
    meta: schema.statementMeta,
    handle: async ({ rpc, workspaceId, caller, query }) => {
      const client = { workspace_id: workspaceId, client_id: caller.userId! };
      const { wallet_type_code } = query;
      const [page, { days }] = await Promise.all([
        rpc.ledger.ListClientEntries({ ...client, ...query, offset: 0 }),
        rpc.ledger.ListExpiring({
          ...client,
          ...(wallet_type_code === undefined ? {} : { wallet_type_code }),
          within_days: EXPIRING_DAYS,
        }),
      ]);
      return present.presentStatement(page, days);
    },
  }),
  get('/public/loyalty/passes', {
    stack: portal(),
    tag,
    summary: 'The cards of the client, to be shown at a till or added to a wallet again',
    description:
      'Cards that are voided or expired are left out. A link is null for a wallet that would not take the card.',
    reply: schema.passes,
    handle: async ({ rpc, workspaceId, caller }) => {
      const client = { workspace_id: workspaceId, client_id: caller.userId! };
      const { passes } = await rpc.passes.ListOfferedPasses(client);
      return data(passes.map(present.presentPass));
    },
  }),
  get('/public/loyalty/tier', {
    stack: portal(),
    tag,
    summary: 'The tier of the client and the way to the next; both null without a tier set',
    description:
      'progress_to_next is a share from 0 to 1, for a bar; metric_value and metric_target are the figures behind it.',
    reply: schema.tierProgress,
    handle: async ({ rpc, workspaceId, caller }) => {
      const client = { workspace_id: workspaceId, client_id: caller.userId! };
      const found = await rpc.tiers.GetClientTier(client);
      if (found.progress?.metric !== 'total_spending')
        return data(present.presentTier(found, null));
      const settings = await rpc.identity.GetSettings({ workspace_id: workspaceId });
      return data(present.presentTier(found, settings.default_currency));
    },
  }),
  get('/public/loyalty/referral', {
    stack: portal(),
    tag,
    summary:
      'Code, share link and referrals of the client; only { enabled: false } without a programme',
    description:
      'The code is made with the first look, for a client who is enrolled. Share the link as it is.',
    reply: schema.referral,
    handle: async ({ rpc, workspaceId, caller }) => {
      const client = { workspace_id: workspaceId, client_id: caller.userId! };
      return data(present.presentReferral(await rpc.referrals.GetClientReferral(client)));
    },
  }),
];

async function requireWalletType(rpc: RpcClients, workspaceId: string, code: string) {
  const { wallet_types: types } = await rpc.ledger.ListWalletTypes({ workspace_id: workspaceId });
  if (!types.some((type) => type.code === code))
    throw invalidField('wallet_type_code', 'there is no such wallet type in the workspace');
}

/** The client portal (part 1, Public loyalty portal; part 3, section 9). */
export const portalRoutes: Route[] = [...entrance, ...person, ...programme, ...catalogueRoutes];
