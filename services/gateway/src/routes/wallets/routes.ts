import { data, get, member, type Route } from '../../routing';
import { fromMoment } from '../../schema/types';
import { presentPage } from '../points/present';
import { clientEntries, entries, listRequest } from '../points/schema';
import * as schema from './schema';

const tag = 'Clients';

/** What a client has in points (part 1, Clients; part 3, section 4.3). */
export const walletRoutes: Route[] = [
  get(':ws/clients/:clientId/wallets', {
    stack: member(),
    tag,
    summary: "A client's wallets of all active wallet types, the default first",
    description: 'With `at`, the balances as they were then.',
    query: schema.getWallets,
    reply: schema.wallets,
    handle: async ({ rpc, workspaceId, params: { clientId }, query }) => {
      const at = fromMoment(query.at);
      const request = { workspace_id: workspaceId, client_id: clientId, at };
      return data((await rpc.ledger.GetWallets(request)).wallets);
    },
  }),
  get(':ws/clients/:clientId/points/ledger', {
    stack: member(),
    tag,
    summary: "A client's ledger of one wallet type, by default the default one, newest first",
    description:
      'The history that a client sees. wallet_type_code picks another wallet type; where the workspace has no default and none is named, the list is empty.',
    query: clientEntries,
    reply: entries,
    handle: async ({ rpc, workspaceId, params: { clientId }, query }) => {
      const request = { ...listRequest(workspaceId, query), client_id: clientId };
      return presentPage(await rpc.ledger.ListClientEntries(request));
    },
  }),
  get(':ws/clients/:clientId/points/expiring', {
    stack: member(),
    tag,
    summary: 'What of a client will expire within some days, by day',
    description:
      'For a reminder in a mail or at the till: amounts by the day on which they go, in the next 30 days unless within_days says otherwise. Spending takes the oldest points first, so the list shrinks by itself.',
    query: schema.listExpiring,
    reply: schema.expiringDays,
    handle: async ({ rpc, workspaceId, params: { clientId }, query }) => {
      const request = { workspace_id: workspaceId, client_id: clientId, ...query };
      return data((await rpc.ledger.ListExpiring(request)).days);
    },
  }),
];
