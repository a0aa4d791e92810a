import { platform, Refusal } from '@laurel/errors';
import type { rewards } from '@laurel/rpc';
import { data, get, message, open, portal, post, type Route } from '../../routing';
import type { RpcClients } from '../../rpc-clients';
import { messageOnly } from '../auth/schema';
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
      'Asks for the stored e-mail address; where there is none for the stored phone; where there is neither for confirm_erase. A mismatch is 400 verification_failed, whatever was wrong.',
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
    query: schema.getBalance,
    reply: schema.balances,
    handle: async ({ rpc, workspaceId, caller, query }) => {
      const client = { workspace_id: workspaceId, client_id: caller.userId! };
      const wallets = await rpc.ledger.GetWallets(client);
      return data(present.presentBalances(wallets, query.wallet_type_code));
    },
  }),
  get('/public/loyalty/statement', {
    stack: portal(),
    tag,
    summary: 'What came and went on the account of the client, newest first, and what expires when',
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
    reply: schema.referral,
    handle: async ({ rpc, workspaceId, caller }) => {
      const client = { workspace_id: workspaceId, client_id: caller.userId! };
      return data(present.presentReferral(await rpc.referrals.GetClientReferral(client)));
    },
  }),
];

const catalogue: Route[] = [
  get('/public/loyalty/rewards', {
    stack: portal(),
    tag,
    summary: 'Rewards that points can buy, as the client stands to each',
    reply: schema.rewards,
    handle: async ({ rpc, workspaceId, caller }) => {
      const [list, walletOf] = await Promise.all([
        rpc.rewards.ListClientRewards({
          workspace_id: workspaceId,
          client_id: caller.userId!,
          purchasable_only: true,
        }),
        walletsOf(rpc, workspaceId),
      ]);
      return data(list.rewards.map((seen) => present.presentReward(seen, walletOf)));
    },
  }),
  get('/public/loyalty/rewards/:id', {
    stack: portal(),
    tag,
    summary: 'One of these rewards',
    reply: schema.reward,
    handle: async ({ rpc, workspaceId, caller, params }) => {
      const [seen, walletOf] = await Promise.all([
        rpc.rewards.GetClientReward({
          workspace_id: workspaceId,
          client_id: caller.userId!,
          reward_id: params.id,
          purchasable_only: true,
        }),
        walletsOf(rpc, workspaceId),
      ]);
      return data(present.presentRewardDetail(seen, walletOf));
    },
  }),
  post('/public/loyalty/rewards/:id/redeem', {
    stack: portal(),
    tag,
    summary: 'Buy a reward with points',
    description:
      'A refusal is 400 and names its reason: inactive, not_started, ended, not_purchasable, tier_locked, segment_locked, usage_limit_reached, client_limit_reached, insufficient_points, out_of_coupons.',
    body: schema.redeem,
    reply: schema.redeemed,
    handle: async ({ rpc, workspaceId, caller, params, body }) => {
      const request = {
        workspace_id: workspaceId,
        client_id: caller.userId!,
        reward_id: params.id,
        source: 'self_serve',
        metadata: body.metadata,
        purchasable_only: true,
      };
      return data(present.presentRedeemed(await redeem(rpc, request)));
    },
  }),
  get('/public/loyalty/redemptions', {
    stack: portal(),
    tag,
    summary: 'What the client has redeemed, newest first',
    query: schema.listRedemptions,
    reply: schema.redemptions,
    handle: async ({ rpc, workspaceId, caller, query: { limit, offset = 0 } }) => {
      const [{ redemptions, total_count }, walletOf] = await Promise.all([
        rpc.rewards.ListRedemptions({
          workspace_id: workspaceId,
          client_id: caller.userId!,
          limit,
          offset,
        }),
        walletsOf(rpc, workspaceId),
      ]);
      const meta = { total: total_count, limit, offset };
      const rows = redemptions.map((each) => present.presentRedemption(each, walletOf));
      return data(rows, meta);
    },
  }),
];

/** The wallets of a workspace by id, those that are switched off among them: what was paid stays in their words. */
async function walletsOf(rpc: RpcClients, workspaceId: string): Promise<present.WalletOf> {
  return present.walletsById(await rpc.ledger.ListWalletTypes({ workspace_id: workspaceId }));
}

/** The service speaks of a reward_id in a body; here it stands in the path, where an unknown one is 404. */
async function redeem(rpc: RpcClients, request: rewards.RedeemRewardRequest) {
  try {
    return await rpc.rewards.RedeemReward(request);
  } catch (error) {
    if (!(error instanceof Refusal) || error.problems[0]?.field !== 'reward_id') throw error;
    throw platform.recordNotFound({ message: 'the reward does not exist' });
  }
}

/** The client portal (part 1, Public loyalty portal; part 3, section 9). */
export const portalRoutes: Route[] = [...entrance, ...person, ...programme, ...catalogue];
