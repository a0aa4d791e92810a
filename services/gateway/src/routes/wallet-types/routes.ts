import { data, del, get, member, message, patch, post, type Route, versioned } from '../../routing';
import * as schema from './schema';

const tag = 'Wallet types';

/** The kinds of points of a workspace (part 3, section 4.1). */
export const walletTypeRoutes: Route[] = [
  get(':ws/wallet-types', {
    stack: member(),
    tag,
    summary: 'List wallet types, the default first, then by name',
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
    reply: schema.walletType,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id } }) =>
      versioned(await rpc.ledger.GetWalletType({ workspace_id: workspaceId, id })),
  }),
  patch(':ws/wallet-types/:id', {
    stack: member(),
    tag,
    summary: 'Change a wallet type; is_default true moves the default here',
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
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id } }) => {
      await rpc.ledger.DeleteWalletType({ workspace_id: workspaceId, id });
      return message('the wallet type was deleted');
    },
  }),
];
