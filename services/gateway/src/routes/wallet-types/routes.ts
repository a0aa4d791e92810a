import { data, del, get, member, message, patch, post, type Route, versioned } from '../../routing';
import * as schema from './schema';

const tag = 'Wallet types';

/** The kinds of points of a workspace (part 3, section 4.1). */
export const walletTypeRoutes: Route[] = [
  get(':ws/wallet-types', {
    stack: member(),
    tag,
    summary: 'List wallet types, the default first, then by name',
    description:
      'What a programme counts in: points, stamps, credit. `active=true` leaves out those that take no more entries.',
    query: schema.listWalletTypes,
    reply: schema.walletTypes,
    handle: async ({ rpc, workspaceId, query }) => {
      const request = { workspace_id: workspaceId, ...query };
      return data((await rpc.ledger.ListWalletTypes(request)).wallet_types);
    },
  }),
  post(':ws/wallet-types', {
    stack: member(),
    tag,
    summary: 'Create a wallet type; the first one becomes the default',
    description:
      'The code is fixed from now on and is what earn, spend and rules name; one that is taken is refused with 409. Clients need no wallet beforehand: each has one for every active type. A workspace has at most 100.',
    body: schema.createWalletType,
    status: 201,
    reply: schema.walletType,
    handle: async ({ rpc, workspaceId, body }) =>
      data(await rpc.ledger.CreateWalletType({ workspace_id: workspaceId, ...body })),
  }),
  get(':ws/wallet-types/:id', {
    stack: member(),
    tag,
    summary: 'Read a wallet type',
    description:
      'How one currency of the programme behaves: its unit, hold, expiry, cap, and whether a balance may go below zero.',
    reply: schema.walletType,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id } }) =>
      versioned(await rpc.ledger.GetWalletType({ workspace_id: workspaceId, id })),
  }),
  patch(':ws/wallet-types/:id', {
    stack: member(),
    tag,
    summary: 'Change a wallet type; is_default true moves the default here',
    description:
      'New days of hold and expiry count for what is earned from now on; what clients have stays as it is. The default cannot be switched off: make another one the default first. What is switched on while there is none becomes it.',
    body: schema.updateWalletType,
    reply: schema.walletType,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id }, body }) =>
      versioned(await rpc.ledger.UpdateWalletType({ workspace_id: workspaceId, id, ...body })),
  }),
  del(':ws/wallet-types/:id', {
    stack: member(),
    tag,
    summary: 'Delete a wallet type of which no wallet has an entry',
    description:
      'For one that was made by mistake. Refused with 409 once anybody has an entry in it, or where an active rule or a segment names it: set active to false instead. Rewards do not prevent it, but one that is paid for in it can no longer be redeemed. The default cannot be deleted.',
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id } }) => {
      await rpc.ledger.DeleteWalletType({ workspace_id: workspaceId, id });
      return message('the wallet type was deleted');
    },
  }),
];
