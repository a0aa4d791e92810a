import { groupOf, operationIdOf } from '../openapi/names';
import type { Route, Scope } from '../routing';

/**
 * What each operation that changes something wants of a named token: group -> scope -> operations. What only reads wants
 * `read`, unless it stands here as well (docs/adr/0041).
 */
const WANTED: Readonly<Record<string, Partial<Record<Scope, string>>>> = {
  auth: { account: 'resendVerification' },
  automations: { configure: 'create set update delete duplicate reorder backtest' },
  brand: { configure: 'set' },
  campaigns: {
    configure:
      'create update delete duplicate createAction updateAction deleteAction reorderActions',
    operate: 'schedule unschedule launch cancel executeAction executeAll',
  },
  clients: {
    operate:
      'create update delete anonymize merge import createImportCheck cancelImportJob setExternalIdentity deleteExternalIdentity',
  },
  coupons: { operate: 'importForReward' },
  dataModel: { configure: 'create update delete' },
  distributions: { configure: 'create update delete duplicate rotateApiToken' },
  events: { operate: 'record recordBatch recordCustom recordEngagement delete deleteBatch' },
  files: { configure: 'upload delete' },
  imageSources: { configure: 'preview', operate: 'refresh' },
  // An inbox is a way in for another system: what comes by it earns points.
  integrations: {
    configure: 'testConnection',
    operate: 'importTransactions cancelImportJob retryInboxMessage retryOutboundJob',
    full: 'set delete provisionInbox rotateInboxToken',
  },
  // The list shows what invitations are accepted with.
  invitations: { account: 'accept listMine', full: 'create resend delete list' },
  loyaltyConfig: { configure: 'create update set' },
  mails: { configure: 'set delete' },
  members: { full: 'create delete updateRole' },
  passTemplates: { configure: 'create update delete duplicate migrateAndDelete' },
  // A row has the links that open its card, and what it shows the way into the portal: their holder acts as the client.
  passes: {
    operate:
      'list get listForClient getLoyaltyRenderData create update delete restore void resend refreshAll retryPush',
  },
  points: {
    read: 'verify',
    operate: 'earn spend adjust batch transfer refund cancelEntry lock captureLock releaseLock',
  },
  portalConfig: { configure: 'set' },
  programmes: { configure: 'set' },
  projects: { configure: 'create update delete', operate: 'listPasses' },
  referrals: {
    configure: 'setProgram deleteProgram',
    operate: 'cancel complete cancelPending',
  },
  rewards: {
    configure: 'create update delete duplicate',
    operate: 'redeem cancelRedemption useRedemption',
  },
  segments: { configure: 'create update delete duplicate', operate: 'calculate listPasses' },
  staffAppConfig: {
    configure: 'create update delete createAction updateAction deleteAction reorderActions',
  },
  // Each lets somebody in, or puts them out.
  staffUsers: { full: 'create createFromMember update delete sendPairingCode deleteSession' },
  tiers: {
    configure: 'create update delete reorder createSet updateSet deleteSet',
    operate: 'assign unassign recalculate',
  },
  user: {
    account:
      'updateMe getApiToken regenerateApiToken deleteApiToken listApiTokens createApiToken revokeApiToken listSessions deleteSession deleteSessions',
  },
  walletCredentials: { full: 'setApple deleteApple setGoogle deleteGoogle' },
  walletTypes: { configure: 'create update delete' },
  webhooks: {
    configure: 'create update delete rotateSecret test',
    operate: 'replay retryDelivery',
  },
  workspaces: { configure: 'updateSettings advanceClock', full: 'create update delete clone' },
};

const SAID = new Map(
  Object.entries(WANTED).flatMap(([group, scopes]) =>
    Object.entries(scopes).flatMap(([scope, names]) =>
      names.split(' ').map((name) => [`${group}.${name}`, scope as Scope] as const),
    ),
  ),
);

/**
 * Says of each route what it wants of a named token. With an undecided change the gateway does not start, nor with
 * a decision about what is not there.
 */
export function withScopes(
  routes: readonly Route[],
  said: ReadonlyMap<string, Scope> = SAID,
): Route[] {
  const left = new Set(said.keys());
  const scoped = routes.map((route) => {
    if (route.stack.name !== 'member') return route;
    const name = operationIdOf(route);
    left.delete(name);
    const scope = said.get(name) ?? (route.method === 'get' || route.readOnly ? 'read' : undefined);
    if (scope === undefined)
      throw new Error(`say in scopes.ts, under ${groupOf(route.tag)}, which scope ${name} wants`);
    return { ...route, scope };
  });
  if (left.size > 0)
    throw new Error(`scopes.ts speaks of ${[...left].join(', ')}, which no route is`);
  return scoped;
}
